// Tests that doctor finds the one thing that is wrong and names the way out.
import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Host, writeMine } from '../hooks/host.ts';
import { some } from '../kit/effort.ts';
import { amiss, doctor, type Report, text, write } from './doctor.ts';
import { data, healthy, local, run, withClient } from './healthy.ts';

const settingsOf = (host: Host) =>
  JSON.parse(readFileSync(local(host), 'utf8')) as {
    hooks: Record<string, { matcher?: string; hooks: { command: string; timeout: number }[] }[]>;
  };
const replaceIn = (file: string, from: string, to: string): void =>
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(from, to));

/** One thing broken in a healthy project, what doctor says about it, and whether `plimsoll init` is the way out. */
const broken: [string, (host: Host) => void, RegExp, isMendedByInit?: boolean][] = [
  [
    'hooks of an earlier form',
    (host) => {
      const settings = settingsOf(host);
      const [start] = settings.hooks.SessionStart ?? [];
      if (start) start.matcher = 'compact';
      delete settings.hooks.Stop;
      write(local(host), settings);
    },
    /^info: \.claude\/settings\.local\.json is of another form .*~ SessionStart, matcher "compact" → every; \+ Stop, .* → plimsoll init$/,
    true,
  ],
  [
    'a hook twice in one file',
    (host) => {
      const settings = settingsOf(host);
      settings.hooks.Stop = [...(settings.hooks.Stop ?? []), ...(settings.hooks.Stop ?? [])];
      write(local(host), settings);
    },
    /^error: .*has Stop twice.* → plimsoll init$/,
    true,
  ],
  [
    'hooks of two scopes',
    (host) => run(host, 'init', '--yes', '--scope', 'project'),
    /^error: .* are registered in \.claude\/settings\.local\.json and \.claude\/settings\.json: each runs twice → plimsoll uninstall --scope local$/,
  ],
  [
    'PostToolUse where the client knows PostToolBatch',
    (host) => run(host, 'init', '--yes', '--client-version', '2.1.100'),
    /^info: .*\+ PostToolBatch, at most 5 s; - PostToolUse, .* → plimsoll init$/,
    true,
  ],
  [
    'a client that does not know PostToolBatch',
    (host) => withClient(host, '2.1.90'),
    /^error: .*names PostToolBatch, which Claude Code 2\.1\.90 does not know.* → plimsoll init$/,
    true,
  ],
  [
    'hooks switched off in the settings of the user',
    (host) => write(path.join(host.env.HOME ?? '', '.claude', 'settings.json'), { disableAllHooks: true }),
    /^error: "disableAllHooks" is set in ~\/\.claude\/settings\.json/,
  ],
  [
    'settings that the client cannot read',
    (host) => write(path.join(host.project, '.claude', 'settings.json'), '{ "a": 1, }'),
    /^error: \.claude\/settings\.json cannot be read, line 1, column \d+/,
  ],
  [
    'a plugin beside the hooks',
    (host) => {
      const claude = path.join(host.env.HOME ?? '', '.claude');
      write(path.join(claude, 'settings.json'), { enabledPlugins: { 'plimsoll@market': true } });
      mkdirSync(path.join(claude, 'plugins', 'cache', 'market', 'plimsoll', '1.0.0'), { recursive: true });
    },
    /^info: the plugin plimsoll@market has them too, and yields/,
  ],
  [
    'a folder that is not trusted',
    (host) =>
      write(path.join(host.env.HOME ?? '', '.claude.json'), {
        projects: { [host.project]: { hasTrustDialogAccepted: false } },
      }),
    /^info: this folder is not marked as trusted/,
  ],
  [
    'settings of one person that git sees',
    (host) => writeFileSync(path.join(host.project, '.git', 'info', 'exclude'), ''),
    /^info: git sees \.claude\/settings\.local\.json/,
  ],
  [
    'a Node that is gone',
    (host) => replaceIn(local(host), `n='${process.execPath}'`, "n='/gone/node'"),
    /^info: the hooks name \/gone\/node, which does not run; the one on PATH stands in → plimsoll init$/,
    true,
  ],
  [
    'no bundle',
    (host) => rmSync(path.join(data(host), 'current')),
    /^error: no hook bundle at ~\/data\/plimsoll\/current\/hook\.cjs: the hooks are silent → plimsoll init$/,
    true,
  ],
  [
    'a damaged bundle',
    (host) => rmSync(path.join(data(host), 'current', 'full.cjs')),
    /^error: .* is damaged.* → plimsoll init$/,
    true,
  ],
  [
    'a bundle of an earlier build of the same version',
    (host) => {
      const now = realpathSync(path.join(data(host), 'current'));
      writeFileSync(path.join(now, 'hook.cjs'), '// an earlier build\n');
      // The name says what the files are.
      const { programs } = doctor(host) as { programs?: { build: string } } & Report;
      const version = programs?.build.split('-')[0];
      const earlier = path.join(data(host), 'versions', `${version}-${hashOf(now)}`);
      renameSync(now, earlier);
      rmSync(path.join(data(host), 'current'));
      symlinkSync(earlier, path.join(data(host), 'current'));
    },
    /^info: the hooks run (0\.\d+\.\d+)-[0-9a-f]{12}, this command brings \1-[0-9a-f]{12} → plimsoll init$/,
    true,
  ],
  ['silence for the project', (host) => run(host, 'off'), /^info: silenced for this project → plimsoll on$/],
  [
    'silence by the environment',
    (host) => {
      host.env.PLIMSOLL = 'off';
    },
    /^info: silenced: PLIMSOLL=off/,
  ],
  [
    'silence by a setting',
    (host) => writeMine(host, 'enabled = false\n'),
    /^info: silenced: "enabled" is false \(user\)/,
  ],
  [
    'a setting that cannot be used',
    (host) => write(host.shared('config.toml'), '[context_monitor]\nemit = "sometimes"\n'),
    /^info: \.plimsoll\/config\.toml: "context_monitor\.emit": /,
  ],
  [
    'a state folder that is a file',
    (host) => {
      rmSync(host.state(), { recursive: true });
      writeFileSync(host.state(), '');
    },
    /^info: it is kept in ~\/state\/plimsoll\/projects\/[0-9a-f]+: .*the state folder in it, is no folder → remove what stands in its place$/,
  ],
  [
    'content of sessions that git sees',
    (host) => {
      rmSync(host.state('.gitignore'));
      write(host.state('sessions', 'x', 'runs'), 'x');
      write(host.shared('config.toml'), '');
    },
    /^error: git does not ignore what holds content of sessions: \.plimsoll\/state-\w+\/sessions\/x\/runs → /,
  ],
  [
    'a folder in place of the list that git reads',
    (host) => {
      rmSync(host.state('.gitignore'));
      write(host.state('.gitignore', 'x'), '');
    },
    /^error: git does not ignore .* → remove \.plimsoll\/state-\w+\/\.gitignore, which is no file; then plimsoll doctor --fix$/,
  ],
  [
    'a folder of ours in the home folder',
    (host) => mkdirSync(path.join(host.env.HOME ?? '', '.plimsoll')),
    /^info: .*home\/\.plimsoll is there, and never used/,
  ],
  [
    'a session of a newer version',
    (host) => write(host.state('sessions', 'x', 'state.json'), { schema_version: '2.0.0', session_id: 'x' }),
    /^error: \.plimsoll\/state-\w+\/sessions\/x\/state\.json written by a newer version; left alone.*npm install --global plimsoll@latest$/,
  ],
  [
    'a settings snapshot of a newer version',
    (host) => write(host.state('config.snapshot.json'), { snapshot_version: 99 }),
    /^info: \.plimsoll\/state-\w+\/config\.snapshot\.json written by a newer version/,
  ],
  [
    'state that is unreadable',
    (host) => write(host.state('sessions', 'x', 'state.json'), '{"torn'),
    /^info: \.plimsoll\/state-\w+\/sessions\/x\/state\.json cannot be read/,
  ],
  [
    'state that was set aside',
    (host) => {
      write(host.state('sessions', 'x', 'state.json'), '{"torn');
      host.fire('SessionStart', { session_id: 'x', source: 'compact', transcript_path: host.transcript });
      // That it was torn stands in the log as well.
      rmSync(host.state('failures.jsonl'));
    },
    /^info: \.plimsoll\/state-\w+\/sessions\/x\/state\.json\.unreadable was unreadable and set aside/,
  ],
  [
    'a damaged checkpoint',
    (host) => write(host.state('checkpoints', 'cx-001-checkpoint.json'), '{"torn'),
    /^info: cx-001 cannot be used: /,
  ],
  [
    'one failure',
    (host) => host.fire('Stop', {}, '{"torn'),
    /^info: "event" failed once in the last 24 hours, last in Stop just now: no whole JSON on stdin → see ~\/state\/plimsoll\/failures\.jsonl$/,
  ],
  [
    'many failures of one part',
    (host) => {
      for (let time = 0; time < 4; time++) host.fire('Stop', {}, '{"torn');
    },
    /^error: "event" failed 4 times in the last 24 hours/,
  ],
];

/** The short hash that a bundle's name ends in; what doctor takes for damaged names another one. */
function hashOf(folder: string): string {
  const script = `
    const { createHash } = require('crypto'); const { readdirSync, readFileSync } = require('fs');
    const hash = createHash('sha256');
    for (const name of readdirSync(process.argv[1]).filter((each) => each.endsWith('.cjs')).sort())
      hash.update(name).update(readFileSync(process.argv[1] + '/' + name));
    console.log(hash.digest('hex').slice(0, 12));`;
  return spawnSync(process.execPath, ['-e', script, folder], { encoding: 'utf8' }).stdout.trim();
}

const noSession = /^info: none of Claude Code was found/;

test('a healthy project has nothing amiss', () => {
  expect(amiss(healthy()).filter((each) => !noSession.test(each))).toEqual([]);
});

describe('one thing broken in a healthy project', () => {
  test.each(some(broken, 8))('%s', (_name, breakIt, expected, isMended = false) => {
    const host = healthy();
    breakIt(host);
    const { code, findings } = doctor(host);
    const found = findings
      .filter(({ level }) => level !== 'ok')
      .map(text)
      .filter((each) => !noSession.test(each));
    expect(found).toEqual([expect.stringMatching(expected)]);
    expect(code).toBe(found[0]?.startsWith('error') ? 1 : 0);
    if (!isMended) return;
    expect(run(host, 'init', '--yes').code).toBe(0);
    expect(amiss(host).filter((each) => !noSession.test(each))).toEqual([]);
  });
});
