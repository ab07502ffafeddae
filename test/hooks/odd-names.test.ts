// Tests hooks with anything under any name they read in a project:
// they end in time, stay small, keep its secret and do their job.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { TASK_NAMES, taskFile } from '../../src/addons/tracks/layout.ts';
import { some } from '../kit/effort.ts';
import { answer, request } from '../unit/lines.ts';
import { call, expectAllowed, failuresOf, MOMENTS } from './calls.ts';
import { cloneOf, publish } from './cloned.ts';
import { type Host, newHost } from './host.ts';
import { byFifo, byFolder, byNowhere, replaced } from './odd.ts';

const SECRET = 'Host-secret-of-the-person';
const TRACK = '001-cache';
/** What a project holds that makes hooks read all that they read. */
const FILES = {
  'ORCHESTRATION.yaml': 'workflow:\n  id: w\n  status: ACTIVE\n',
  'docs/tracks/ACTIVE_TRACK': `${TRACK}\n`,
  [taskFile(TRACK, 'PLAN.md')]: '# Plan\n\n- [ ] one\n',
};
/** Files of the project, as a clone could ship each of them. */
const SHIPPED = [
  '.plimsoll/config.toml',
  '.plimsoll/config.local.toml',
  '.plimsoll/config.snapshot.json',
  '.plimsoll/quality.md',
  '.plimsoll/rules/one.md',
  '.plimsoll/.gitignore',
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.claude/rules/one.md',
  '.context/rules/one.md',
  'CLAUDE.md',
  'AGENTS.md',
  'ORCHESTRATION.yaml',
  'projects/one/ORCHESTRATION.yaml',
  'docs/tracks/ACTIVE_TRACK',
  ...TASK_NAMES.map((name) => taskFile(TRACK, name)),
  `artifacts/checkpoints/${TRACK}/latest.json`,
  '.git/HEAD',
  '.git/packed-refs',
];

const BY: [string, (target: string, host: Host) => void][] = [
  ['a link to a device without an end', (target) => symlinkSync('/dev/zero', target)],
  ['a FIFO', byFifo],
  ['a link to a secret', (target, host) => symlinkSync(path.join(host.root, 'secret'), target)],
  ['a folder', byFolder],
  ['a link to nowhere', byNowhere],
];

function begun(): Host {
  const host = newHost({ files: FILES });
  writeFileSync(path.join(host.root, 'secret'), `# ${SECRET}\nstatus: ${SECRET}\n<!-- rule -->\n${SECRET}\n`);
  host.append(request('go'), answer(30_000));
  return host;
}

/** Memory of a hook in all: what Node itself needs, and no gigabytes. */
const MOST_MB = 300;

/** Half of the moments, one after the other, with memory measured where the system has a program for it. */
function holdAll(host: Host): void {
  for (const moment of some(MOMENTS, 6)) {
    const report = path.join(host.root, 'memory');
    const wrapper = existsSync('/usr/bin/time') ? ['/usr/bin/time', '-q', '-f', '%M', '-o', report] : [];
    const answer = call(host, moment, { wrapper });
    expect([moment.name, answer.signal]).toEqual([moment.name, null]);
    expectAllowed(moment, answer);
    expect(`${answer.context}${answer.person}${answer.stdout}`).not.toContain(SECRET);
    if (moment.event === 'UserPromptSubmit') expect(answer.context).toContain('CONTEXT STATUS: NOMINAL');
    if (moment.fields.source === 'compact') expect(answer.context).toContain('<compaction-alert>');
    if (wrapper.length > 0)
      expect(Number(spawnSync('cat', [report], { encoding: 'utf8' }).stdout) / 1024).toBeLessThan(MOST_MB);
  }
}

describe.each(some(BY, 2))('all names that a project ships are %s:', (_, by) => {
  test('hooks end in time, keep the secret, and tell the usage', () => {
    const host = begun();
    for (const name of SHIPPED) replaced(path.join(host.project, name), (target) => by(target, host));
    holdAll(host);
    for (const { error } of failuresOf(host)) expect(error).not.toContain(SECRET);
  });

  test('so do files of ours that are there already', () => {
    const host = begun();
    for (const { event, fields } of MOMENTS) host.fire(event, fields);
    const below = (folder: string): string[] =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name !== '.gitignore')
        .map((entry) => path.join(entry.parentPath, entry.name));
    const ours = below(path.join(host.project, '.plimsoll'));
    expect(ours.length).toBeGreaterThan(3);
    for (const each of ours) replaced(each, (target) => by(target, host));
    for (const moment of MOMENTS.slice(0, 4)) {
      const answer = call(host, moment);
      expect([moment.name, answer.signal]).toEqual([moment.name, null]);
      expectAllowed(moment, answer);
      expect(answer.stdout).not.toContain(SECRET);
    }
  });
});

test.each([
  ['a device', () => '/dev/zero'],
  ['a file outside the project', (folder: string, outside: string) => path.relative(folder, outside)],
])('all names that a project ships are links to %s, and come by git clone', (_, target) => {
  const origin = newHost({ files: FILES });
  for (const name of SHIPPED.filter((each) => !each.startsWith('.git/')))
    replaced(path.join(origin.project, name), (at) =>
      symlinkSync(target(path.dirname(at), path.join(origin.root, 'secret')), at),
    );
  publish(origin);
  const host = cloneOf(origin);
  writeFileSync(path.join(host.root, 'secret'), `# ${SECRET}\nstatus: ${SECRET}\n`);
  host.append(request('go'), answer(30_000));
  holdAll(host);
});
