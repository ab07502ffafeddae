// Tests that doctor names what is wrong, and that its advice, or --fix, puts all in order again.
import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Host, SESSION, sessionFile } from '../hooks/host.ts';
import { some } from '../kit/effort.ts';
import { attachment } from '../unit/lines.ts';
import { faults, text } from './doctor.ts';
import { append, compacted, data, fire, healthy, local, run } from './healthy.ts';

interface Settings {
  hooks: Record<string, { matcher?: string; hooks: Record<string, unknown>[] }[]>;
  [more: string]: unknown;
}
/** Changes the settings of a host, as a person or another tool would. */
function edit(host: Host, change: (settings: Settings) => void, file = local(host)): void {
  let settings: Settings = { hooks: {} };
  try {
    settings = JSON.parse(readFileSync(file, 'utf8')) as Settings;
  } catch {
    // not there yet
  }
  change(settings);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(settings, null, 2));
}
const group = (settings: Settings, event: string) => settings.hooks[event]?.[0] ?? { hooks: [] };
const hook = (settings: Settings, event: string) => group(settings, event).hooks[0] ?? {};
const userSettings = (host: Host): string => path.join(host.env.HOME ?? '', '.claude', 'settings.json');
const feed = (host: Host): string => host.state('sessions', SESSION, 'statusline.feed');
const FUTURE = new Date('2099-01-01T00:00:00.000Z');
/** A process id that nobody has. */
const DEAD = 4_194_300;

interface Planted {
  /** What is done to a healthy project with a compacted session. */
  plant: (host: Host) => void;
  /** `level: finding → fix`. */
  says: RegExp;
  /** What fixes it: `--fix`, a command that the finding names, or what a person does. */
  fix: '--fix' | string[] | ((host: Host) => void);
}

const planted: Record<string, Planted> = {
  'hooks that are gone': {
    plant: (host) => edit(host, (settings) => (settings.hooks = {})),
    says: /^error: \.claude\/settings\.local\.json has lost the hooks that init put there → plimsoll init$/,
    fix: '--fix',
  },
  'a hook that is missing': {
    plant: (host) => edit(host, ({ hooks }) => delete hooks.PreCompact),
    says: /^error: .* lacks PreCompact → plimsoll init$/,
    fix: '--fix',
  },
  'a hook that is there twice': {
    plant: (host) =>
      edit(host, (settings) => settings.hooks.Stop?.push(structuredClone(group(settings, 'Stop')))),
    says: /^error: .* has Stop twice: each runs twice → plimsoll init$/,
    fix: '--fix',
  },
  'a matcher that leaves compactions out': {
    plant: (host) =>
      edit(host, (settings) => {
        group(settings, 'SessionStart').matcher = 'startup|clear';
      }),
    says: /^error: SessionStart in .* runs for "startup\|clear" only: compact is missing, .* → plimsoll init$/,
    fix: '--fix',
  },
  'a timeout in milliseconds': {
    plant: (host) =>
      edit(host, (settings) => {
        hook(settings, 'UserPromptSubmit').timeout = 5_000;
      }),
    says: /^error: timeouts in .* are seconds, not milliseconds: UserPromptSubmit has 5000, .* 83 minutes → plimsoll init$/,
    fix: '--fix',
  },
  'hooks of two scopes': {
    plant: (host) => run(host, 'init', '--yes', '--scope', 'project'),
    says: /^error: .* each runs twice → plimsoll uninstall --scope local$/,
    fix: ['uninstall', '--scope', 'local', '--yes'],
  },
  'a plugin beside the settings': {
    plant: (host) => {
      edit(host, (settings) => (settings.enabledPlugins = { 'plimsoll@market': true }), userSettings(host));
      const cache = path.join(path.dirname(userSettings(host)), 'plugins', 'cache', 'market', 'plimsoll');
      mkdirSync(path.join(cache, '1.0.0'), { recursive: true });
    },
    says: /^info: the plugin plimsoll@market has them too, and yields to those of .*; one is enough → plimsoll uninstall --scope local, or claude plugin disable plimsoll@market$/,
    fix: ['uninstall', '--scope', 'local', '--yes'],
  },
  'a bundle that is gone': {
    plant: (host) => rmSync(path.join(data(host), 'current')),
    says: /^error: no hook bundle at .*: the hooks are silent → plimsoll init$/,
    fix: '--fix',
  },
  'a bundle that is damaged': {
    plant: (host) => writeFileSync(path.join(data(host), 'current', 'full.cjs'), '//'),
    says: /^error: .* is damaged: .* → plimsoll init$/,
    fix: '--fix',
  },
  'a Node that is gone': {
    plant: (host) =>
      writeFileSync(
        local(host),
        readFileSync(local(host), 'utf8').replaceAll(`n='${process.execPath}'`, "n='/gone/node'"),
      ),
    says: /^info: the hooks name \/gone\/node, which does not run; the one on PATH stands in → plimsoll init$/,
    fix: '--fix',
  },
  'words that were lost to a timeout': {
    plant: (host) =>
      append(
        host,
        attachment({
          type: 'hook_cancelled',
          hookEvent: 'UserPromptSubmit',
          command: `node '${data(host)}/current/hook.cjs' UserPromptSubmit`,
          timedOut: true,
          timeoutMs: 5_000,
        }),
      ),
    says: /^error: UserPromptSubmit ran out of its time, and what it said is lost, last just now → plimsoll init/,
    // The next time it has its time.
    fix: (host) => void fire(host, 'UserPromptSubmit', { prompt: 'x' }),
  },
  'words that the client did not take': {
    plant: (host) =>
      append(
        host,
        attachment({
          type: 'hook_additional_context',
          hookEvent: 'UserPromptSubmit',
          content: ['<persisted-output>\nOutput too large (11.7KB). …\n<context-monitor>\nCONTEXT'],
        }),
      ),
    says: /^error: UserPromptSubmit said more than the client takes: .* → plimsoll export, and report it/,
    fix: (host) => void fire(host, 'UserPromptSubmit', { prompt: 'x' }),
  },
  'files from the future': {
    plant: (host) => utimesSync(sessionFile(host), FUTURE, FUTURE),
    says: /^info: \.plimsoll\/state-\w+\/sessions\/.*\/state\.json dated ahead of this machine's clock, up to 2099-01-01.* → set the clock right.*plimsoll doctor --fix$/,
    fix: '--fix',
  },
  'a lock of a dead process': {
    plant: (host) => {
      const lock = `${sessionFile(host)}.lock`;
      writeFileSync(lock, `${DEAD} 1 1`);
      utimesSync(lock, 1, 1);
    },
    says: /^info: .*\.json\.lock left by processes that died → plimsoll doctor --fix$/,
    fix: '--fix',
  },
  'a status line that has fallen silent': {
    plant: (host) => {
      const frame = { v: 1, session: SESSION, from: 'statusline', at: Date.now() - 3_600_000 };
      writeFileSync(feed(host), JSON.stringify({ ...frame, tokens: 1_000, window: 200_000, model: null }));
    },
    says: /^info: the status line wrote its last figures (?:60 min|1 h) ago.* → see whether "statusLine"/,
    fix: (host) => rmSync(feed(host)),
  },
  'a feed that is torn': {
    plant: (host) => writeFileSync(feed(host), '{"v":1,'),
    says: /^info: .*statusline\.feed of the status line cannot be read → remove it/,
    fix: '--fix',
  },
  'a checkpoint that is not marked as told': {
    plant: (host) => {
      for (const name of readdirSync(host.state('checkpoints')))
        if (name.endsWith('.acknowledged')) rmSync(host.state('checkpoints', name));
    },
    says: /^info: cx-\d+ not marked as told, .* → plimsoll checkpoint ack cx-\d+$/,
    fix: '--fix',
  },
  'content of sessions that git sees': {
    plant: (host) => rmSync(host.state('.gitignore')),
    says: /^error: git does not ignore what holds content of sessions: /,
    fix: '--fix',
  },
  'a hook of others that blocks compactions': {
    plant: (host) =>
      edit(
        host,
        (settings) =>
          (settings.hooks = { PreCompact: [{ hooks: [{ type: 'command', command: 'exit 2' }] }] }),
        userSettings(host),
      ),
    says: /^error: PreCompact in ~\/\.claude\/settings\.json \("exit 2"\) blocks compactions: .* → take it out/,
    fix: (host) => rmSync(userSettings(host)),
  },
  'a copy of our own hooks from elsewhere': {
    plant: (host) =>
      edit(host, ({ hooks }) =>
        hooks.Stop?.push({ hooks: [{ type: 'command', command: 'node ~/src/plimsoll/dist/hook.cjs Stop' }] }),
      ),
    says: /^error: Stop in .* is another copy of our own hooks/,
    fix: (host) =>
      edit(host, ({ hooks }) => {
        hooks.Stop = hooks.Stop?.slice(0, 1) ?? [];
      }),
  },
};

describe('planted in a healthy project, found, and fixed as advised', () => {
  test.each(some(Object.entries(planted), 6))('%s', (_name, { plant, says, fix }) => {
    const host = healthy();
    compacted(host);
    plant(host);
    const found = faults(host);
    expect(found.map(text)).toEqual([expect.stringMatching(says)]);
    expect(found[0]?.fixable).toBe(fix === '--fix');
    const { stdout } = run(host, 'doctor');
    expect(stdout).toContain(found[0]?.level === 'error' ? '\n1 error (' : '\n1 to know (');
    if (typeof fix === 'function') fix(host);
    else if (fix === '--fix') {
      const { stdout: said, code } = run(host, 'doctor', '--fix');
      expect(said).toMatch(/^Fixed: /);
      expect([said, code]).toEqual([said, 0]);
    } else {
      const [command = ''] = fix;
      expect(found[0]?.fix).toContain(`plimsoll ${command}`);
      expect(run(host, ...fix).code).toBe(0);
    }
    expect(run(host, 'doctor')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^All is in order: \d+ checks, shown by plimsoll doctor --all\.\n$/),
    });
  });

  test('there are more than a dozen of them', () => {
    expect(Object.keys(planted).length).toBeGreaterThan(12);
  });
});

test('where nothing is to be fixed, --fix says so and changes nothing', () => {
  const host = healthy();
  compacted(host);
  const before = readFileSync(local(host), 'utf8');
  expect(run(host, 'doctor', '--fix').stdout).toMatch(/^Nothing to fix\.\n\nAll is in order/);
  expect(readFileSync(local(host), 'utf8')).toBe(before);
});

test('--fix keeps every other setting of the file, and takes no decision: two scopes stay two', () => {
  const host = healthy();
  edit(host, (settings) => {
    settings.model = 'opus';
    settings.hooks.Stop?.push({ hooks: [{ type: 'command', command: 'echo mine' }] });
    delete settings.hooks.SessionEnd;
  });
  run(host, 'init', '--yes', '--scope', 'project');
  const { stdout, code } = run(host, 'doctor', '--fix');
  expect(stdout).toMatch(/^Fixed: hooks in \.claude\/settings\.local\.json brought to the form of /);
  expect(stdout).toMatch(/ERROR {2}hooks .* each runs twice/);
  expect(code).toBe(1);
  const settings = JSON.parse(readFileSync(local(host), 'utf8')) as Settings;
  expect(settings.model).toBe('opus');
  expect(settings.hooks.SessionEnd).toHaveLength(1);
  expect(JSON.stringify(settings.hooks.Stop)).toContain('echo mine');
});

test('what cannot be fixed is said, and the rest is fixed all the same', () => {
  const host = healthy();
  compacted(host);
  rmSync(path.join(data(host), 'current'));
  writeFileSync(
    path.join(host.env.XDG_STATE_HOME ?? '', 'plimsoll', 'installs.json'),
    '{"schema_version":"9.0.0"}',
  );
  edit(host, ({ hooks }) => delete hooks.PreCompact);
  const { fixed } = JSON.parse(run(host, 'doctor', '--fix', '--json').stdout) as {
    fixed: { fix: string; done: string | null; error: string | null }[];
  };
  expect(fixed.find((each) => each.fix === 'hooks')?.error).toMatch(/newer version.*left alone/);
  expect(fixed.find((each) => each.fix === 'bundle')?.done).toMatch(/^the hook bundle is that of/);
});
