// Tests that doctor tells what is in order and what a session went through, and changes nothing.
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { SESSION, sessionFile } from '../hooks/host.ts';
import { answer, boundary, injection, request, summary } from '../unit/lines.ts';
import { amiss, doctor, text, write } from './doctor.ts';
import { append, compacted, fire, healthy, local, run } from './healthy.ts';

test('everything in order: no fault and no note, exit code 0, and the last delivery with its evidence', () => {
  const host = healthy();
  compacted(host);
  const { code, findings, session } = doctor(host);
  expect(findings.filter((each) => each.level !== 'ok').map(text)).toEqual([]);
  expect(code).toBe(0);
  expect(session?.id).toBe(SESSION);
  const found = (about: string): string =>
    findings
      .filter((each) => each.about === about)
      .map(text)
      .join('\n');
  expect(found('hooks')).toContain(
    'registered in .claude/settings.local.json: UserPromptSubmit, PostToolBatch',
  );
  expect(found('client')).toContain('Claude Code 2.1.332');
  expect(found('bundle')).toMatch(/0\.\d+\.\d+-[0-9a-f]{12} at ~\/data\/plimsoll\/current\/hook\.cjs/);
  expect(found('runs')).toMatch(
    /UserPromptSubmit just now \(\d+ ms\).*not yet: PostToolBatch, Stop, SubagentStop, SessionEnd/,
  );
  expect(found('delivery')).toMatch(
    /the alert about compaction 1 \(cx-\d+\) arrived, said by SessionStart just now \(delivered: hook attachment at byte \d+\)/,
  );
  expect(found('state')).toMatch(/\.plimsoll\/state-\w+: 1 session, \d checkpoints?/);
});

test('as text: silent but for a summary where all is in order, else what is wrong with the way out below it', () => {
  const host = healthy();
  expect(run(host, 'doctor')).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringMatching(/^All is in order: \d+ checks, shown by plimsoll doctor --all\.\n$/),
  });
  const all = run(host, 'doctor', '--all').stdout;
  expect(all).toMatch(/\nok {5}client +Claude Code 2\.1\.332\n/);
  expect(all).toMatch(/\n\nAll is in order: \d+ checks\.\n$/);
  writeFileSync(local(host), '{"hooks": {}}');
  const { stdout, code } = run(host, 'doctor');
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /^ERROR {2}hooks +.* has lost the hooks .*\n +Next: plimsoll init \(--fix does it\)\n\n1 error \(\d+ checks in order: plimsoll doctor --all\)\n$/,
  );
});

function everyFile(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => path.join(folder, name))
      .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile())
      .map((file) => [file, readFileSync(file, 'latin1')]),
  );
}

test('nothing is changed by looking', () => {
  const host = healthy();
  compacted(host);
  mkdirSync(host.state('sessions', 'torn'));
  writeFileSync(host.state('sessions', 'torn', 'state.json'), '{"torn');
  const before = everyFile(host.root);
  doctor(host);
  run(host, 'doctor', '--session', SESSION);
  expect(everyFile(host.root)).toEqual(before);
});

describe('a session', () => {
  test('in which no hook has run since they were registered', () => {
    const host = healthy();
    append(host, request('go'), answer(30_000));
    utimesSync(local(host), new Date(0), new Date(0));
    expect(amiss(host)).toEqual([expect.stringMatching(/^error: no hook has run in this session, though/)]);
  });

  test('that ran before the hooks were registered', () => {
    const host = healthy();
    host.append = (...lines) =>
      writeFileSync(host.transcript, lines.map((each) => `${JSON.stringify(each)}\n`).join(''));
    host.append(request('go'), answer(30_000, { at: '2020-01-01T00:00:00.000Z' }));
    expect(amiss(host)).toEqual([expect.stringMatching(/^info: the hooks are younger than this session/)]);
  });

  test('that was compacted without PreCompact', () => {
    const host = healthy();
    utimesSync(local(host), new Date(0), new Date(0));
    fire(host, 'SessionStart', { source: 'startup' });
    append(host, request('go'), answer(95_000));
    fire(host, 'UserPromptSubmit', { prompt: 'x' });
    append(host, boundary(), summary());
    const { context } = fire(host, 'SessionStart', { source: 'compact' });
    append(host, injection(context), answer(40_000, { id: 'msg_3' }));
    fire(host, 'UserPromptSubmit', { prompt: 'go on' });
    expect(amiss(host)).toEqual([expect.stringMatching(/^error: PreCompact has never run.*written late/)]);
  });

  test('whose alert left no trace', () => {
    const host = healthy();
    compacted(host);
    const state = JSON.parse(readFileSync(sessionFile(host), 'utf8')) as { alert: object };
    write(sessionFile(host), { ...state, alert: { ...state.alert, status: 'undelivered', tries: 3 } });
    expect(amiss(host)).toEqual([
      expect.stringMatching(
        /^error: the alert about compaction 1 \(cx-\d+\) left no trace.*in 3 tries → .*plimsoll checkpoint show cx-\d+/,
      ),
    ]);
  });

  test('whose checkpoint is not marked, though the agent was told', () => {
    const host = healthy();
    compacted(host);
    const markers = readdirSync(host.state('checkpoints')).filter((name) => name.endsWith('.acknowledged'));
    expect(markers.length).toBeGreaterThan(0);
    for (const name of markers) rmSync(host.state('checkpoints', name));
    expect(amiss(host)).toEqual([expect.stringMatching(/^info: cx-\d+ not marked as told/)]);
  });

  test('that is silenced', () => {
    const host = healthy();
    compacted(host);
    run(host, 'off', '--session', SESSION);
    expect(amiss(host)).toEqual([`info: silenced for this session → plimsoll on --session ${SESSION}`]);
  });

  test('is the newest of the folder, or the one that is named; the others are counted', () => {
    const host = healthy();
    compacted(host);
    const other = path.join(path.dirname(host.transcript), 'other.jsonl');
    copyFileSync(host.transcript, other);
    host.fire('UserPromptSubmit', { session_id: 'other', transcript_path: other, prompt: 'x' });
    utimesSync(host.transcript, new Date(0), new Date(0));
    expect(doctor(host).session?.id).toBe('other');
    const named = doctor(host, '--session', SESSION);
    expect(named.session?.id).toBe(SESSION);
    expect(named.findings.map(text)).toContain(
      'ok: 1 more with state here: plimsoll doctor --session ID → null',
    );
    const unknown = doctor(host, '--session', 'nobody');
    expect(unknown.code).toBe(1);
    expect(unknown.findings.map(text)).toContain(
      'error: no transcript and no state of "nobody" → plimsoll session list shows ids',
    );
  });
});
