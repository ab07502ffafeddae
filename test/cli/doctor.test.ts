// Does doctor find what is wrong, name the way out, and work anywhere without changing anything?

import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Host, newHost, SESSION } from '../hooks/host.ts';
import { CLI } from '../kit/plimsoll.ts';
import { answer, boundary, injection, request, summary } from '../unit/lines.ts';
import {
  append,
  compacted,
  conversationFile,
  data,
  fire,
  healthy,
  local,
  run,
  withClient,
} from './healthy.ts';

interface Finding {
  level: 'ok' | 'note' | 'fault';
  about: string;
  finding: string;
  fix: string | null;
}
interface Report {
  findings: Finding[];
  conversation: { id: string; beats: { name: string }[] } | null;
  [facts: string]: unknown;
}

function doctor(host: Host, ...args: string[]): Report & { code: number } {
  const { code, stdout, stderr } = run(host, 'doctor', '--json', ...args);
  expect(stderr).toBe('');
  return { ...(JSON.parse(stdout) as Report), code };
}
const text = ({ level, finding, fix }: Finding): string => `${level}: ${finding} → ${fix}`;
/** What is not in order, as `level: finding → fix`. */
const amiss = (host: Host, ...args: string[]): string[] =>
  doctor(host, ...args)
    .findings.filter((each) => each.level !== 'ok')
    .map(text);

test('everything in order: no fault and no note, exit code 0, and the last delivery with its evidence', () => {
  const host = healthy();
  compacted(host);
  const { code, findings, conversation } = doctor(host);
  expect(findings.filter((each) => each.level !== 'ok').map(text)).toEqual([]);
  expect(code).toBe(0);
  expect(conversation?.id).toBe(SESSION);
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
  expect(found('state')).toMatch(/\.plimsoll: 1 conversation, \d checkpoints?/);
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
    /^FAULT {2}hooks +.* has lost the hooks .*\n +Next: plimsoll init \(--fix does it\)\n\n1 fault \(\d+ checks in order: plimsoll doctor --all\)\n$/,
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
  writeFileSync(host.state('conversations', 'torn.json'), '{"torn');
  const before = everyFile(host.root);
  doctor(host);
  run(host, 'doctor', '--session', SESSION);
  expect(everyFile(host.root)).toEqual(before);
});

const settingsOf = (host: Host) =>
  JSON.parse(readFileSync(local(host), 'utf8')) as {
    hooks: Record<string, { matcher?: string; hooks: { command: string; timeout: number }[] }[]>;
  };
const write = (file: string, value: unknown): void => {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
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
    /^note: \.claude\/settings\.local\.json is of another form .*~ SessionStart, matcher "compact" → every; \+ Stop, .* → plimsoll init$/,
    true,
  ],
  [
    'a hook twice in one file',
    (host) => {
      const settings = settingsOf(host);
      settings.hooks.Stop = [...(settings.hooks.Stop ?? []), ...(settings.hooks.Stop ?? [])];
      write(local(host), settings);
    },
    /^fault: .*has Stop twice.* → plimsoll init$/,
    true,
  ],
  [
    'hooks of two scopes',
    (host) => run(host, 'init', '--yes', '--scope', 'user'),
    /^fault: .* are registered in \.claude\/settings\.local\.json and ~\/\.claude\/settings\.json: each runs twice → plimsoll uninstall --scope local$/,
  ],
  [
    'PostToolUse where the client knows PostToolBatch',
    (host) => run(host, 'init', '--yes', '--client-version', '2.1.100'),
    /^note: .*\+ PostToolBatch, at most 5 s; - PostToolUse, .* → plimsoll init$/,
    true,
  ],
  [
    'a client that does not know PostToolBatch',
    (host) => withClient(host, '2.1.90'),
    /^fault: .*names PostToolBatch, which Claude Code 2\.1\.90 does not know.* → plimsoll init$/,
    true,
  ],
  [
    'hooks switched off in the settings of the user',
    (host) => write(path.join(host.env.HOME ?? '', '.claude', 'settings.json'), { disableAllHooks: true }),
    /^fault: "disableAllHooks" is set in ~\/\.claude\/settings\.json/,
  ],
  [
    'settings that the client cannot read',
    (host) => write(path.join(host.project, '.claude', 'settings.json'), '{ "a": 1, }'),
    /^fault: \.claude\/settings\.json cannot be read, line 1, column \d+/,
  ],
  [
    'a plugin beside the hooks',
    (host) => {
      const claude = path.join(host.env.HOME ?? '', '.claude');
      write(path.join(claude, 'settings.json'), { enabledPlugins: { 'plimsoll@market': true } });
      mkdirSync(path.join(claude, 'plugins', 'cache', 'market', 'plimsoll', '1.0.0'), { recursive: true });
    },
    /^note: the plugin plimsoll@market has them too, and yields/,
  ],
  [
    'a folder that is not trusted',
    (host) =>
      write(path.join(host.env.HOME ?? '', '.claude.json'), {
        projects: { [host.project]: { hasTrustDialogAccepted: false } },
      }),
    /^note: this folder is not marked as trusted/,
  ],
  [
    'settings of one person that git sees',
    (host) => writeFileSync(path.join(host.project, '.git', 'info', 'exclude'), ''),
    /^note: git sees \.claude\/settings\.local\.json/,
  ],
  [
    'a Node that is gone',
    (host) => replaceIn(local(host), `n='${process.execPath}'`, "n='/gone/node'"),
    /^note: the hooks name \/gone\/node, which does not run; the one on PATH stands in → plimsoll init$/,
    true,
  ],
  [
    'no bundle',
    (host) => rmSync(path.join(data(host), 'current')),
    /^fault: no hook bundle at ~\/data\/plimsoll\/current\/hook\.cjs: the hooks are silent → plimsoll init$/,
    true,
  ],
  [
    'a damaged bundle',
    (host) => rmSync(path.join(data(host), 'current', 'attend.cjs')),
    /^fault: .* is damaged.* → plimsoll init$/,
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
    /^note: the hooks run (0\.\d+\.\d+)-[0-9a-f]{12}, this command brings \1-[0-9a-f]{12} → plimsoll init$/,
    true,
  ],
  ['silence for the project', (host) => run(host, 'off'), /^note: silenced for this project → plimsoll on$/],
  [
    'silence by the environment',
    (host) => {
      host.env.PLIMSOLL = 'off';
    },
    /^note: silenced: PLIMSOLL=off/,
  ],
  [
    'silence by a setting',
    (host) => write(host.state('config.toml'), 'enabled = false\n'),
    /^note: silenced: "enabled" is false \(project\)/,
  ],
  [
    'a setting that cannot be used',
    (host) => write(host.state('config.toml'), '[context_monitor]\nemit = "sometimes"\n'),
    /^note: \.plimsoll\/config\.toml: "context_monitor\.emit": /,
  ],
  [
    'a state folder that is a file',
    (host) => {
      rmSync(host.state(), { recursive: true });
      writeFileSync(host.state(), '');
    },
    /^fault: \.plimsoll is no folder, or cannot be written/,
  ],
  [
    'content of conversations that git sees',
    (host) => {
      rmSync(host.state('.gitignore'));
      write(host.state('conversations', 'x.beats'), 'x');
      write(host.state('config.toml'), '');
    },
    /^fault: git does not ignore what holds content of conversations: \.plimsoll\/conversations\/x\.beats → /,
  ],
  [
    'a folder of ours in the home folder',
    (host) => mkdirSync(path.join(host.env.HOME ?? '', '.plimsoll')),
    /^note: .*home\/\.plimsoll is there, and never used/,
  ],
  [
    'a conversation of a newer version',
    (host) => write(host.state('conversations', 'x.json'), { schema_version: '2.0.0', session_id: 'x' }),
    /^fault: \.plimsoll\/conversations\/x\.json written by a newer version; left alone.*npm install --global plimsoll@latest$/,
  ],
  [
    'a settings snapshot of a newer version',
    (host) => write(host.state('config.snapshot.json'), { snapshot_version: 99 }),
    /^note: \.plimsoll\/config\.snapshot\.json written by a newer version/,
  ],
  [
    'state that is unreadable',
    (host) => write(host.state('conversations', 'x.json'), '{"torn'),
    /^note: \.plimsoll\/conversations\/x\.json cannot be read/,
  ],
  [
    'state that was set aside',
    (host) => {
      write(host.state('conversations', 'x.json'), '{"torn');
      host.fire('SessionStart', { session_id: 'x', source: 'compact', transcript_path: host.transcript });
      // That it was torn stands in the log as well.
      rmSync(host.state('failures.jsonl'));
    },
    /^note: \.plimsoll\/conversations\/x\.json\.unreadable was unreadable and set aside/,
  ],
  [
    'a damaged checkpoint',
    (host) => write(host.state('checkpoints', 'cx-001-checkpoint.json'), '{"torn'),
    /^note: cx-001 cannot be used: /,
  ],
  [
    'one failure',
    (host) => host.fire('Stop', {}, '{"torn'),
    /^note: "event" failed once in the last 24 hours, last in Stop just now: not understood: .* → see ~\/state\/plimsoll\/failures\.jsonl$/,
  ],
  [
    'many failures of one part',
    (host) => {
      for (let time = 0; time < 4; time++) host.fire('Stop', {}, '{"torn');
    },
    /^fault: "event" failed 4 times in the last 24 hours/,
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

describe('one thing broken in a healthy project', () => {
  test.each(broken)('%s', (_name, breakIt, expected, isMended = false) => {
    const host = healthy();
    const noConversation = /^note: none of Claude Code was found/;
    const others = (): string[] => amiss(host).filter((each) => !noConversation.test(each));
    expect(others()).toEqual([]);
    breakIt(host);
    const found = others();
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(expected);
    expect(run(host, 'doctor').code).toBe(found[0]?.startsWith('fault') ? 1 : 0);
    if (!isMended) return;
    expect(run(host, 'init', '--yes').code).toBe(0);
    expect(others()).toEqual([]);
  });
});

describe('a conversation', () => {
  test('in which no hook has run since they were registered', () => {
    const host = healthy();
    append(host, request('go'), answer(30_000));
    utimesSync(local(host), new Date(0), new Date(0));
    expect(amiss(host)).toEqual([
      expect.stringMatching(/^fault: no hook has run in this conversation, though/),
    ]);
  });

  test('that ran before the hooks were registered', () => {
    const host = healthy();
    host.append = (...lines) =>
      writeFileSync(host.transcript, lines.map((each) => `${JSON.stringify(each)}\n`).join(''));
    host.append(request('go'), answer(30_000, { at: '2020-01-01T00:00:00.000Z' }));
    expect(amiss(host)).toEqual([
      expect.stringMatching(/^note: the hooks are younger than this conversation/),
    ]);
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
    expect(amiss(host)).toEqual([expect.stringMatching(/^fault: PreCompact has never run.*written late/)]);
  });

  test('whose alert left no trace', () => {
    const host = healthy();
    compacted(host);
    const state = JSON.parse(readFileSync(conversationFile(host), 'utf8')) as { alert: object };
    write(conversationFile(host), { ...state, alert: { ...state.alert, status: 'undelivered', tries: 3 } });
    expect(amiss(host)).toEqual([
      expect.stringMatching(
        /^fault: the alert about compaction 1 \(cx-\d+\) left no trace.*in 3 tries → .*plimsoll checkpoint show cx-\d+/,
      ),
    ]);
  });

  test('whose checkpoint is not marked, though the agent was told', () => {
    const host = healthy();
    compacted(host);
    const markers = readdirSync(host.state('checkpoints')).filter((name) => name.endsWith('.acknowledged'));
    expect(markers.length).toBeGreaterThan(0);
    for (const name of markers) rmSync(host.state('checkpoints', name));
    expect(amiss(host)).toEqual([expect.stringMatching(/^note: cx-\d+ not marked as told/)]);
  });

  test('that is silenced', () => {
    const host = healthy();
    compacted(host);
    run(host, 'off', '--session', SESSION);
    expect(amiss(host)).toEqual([`note: silenced for this conversation → plimsoll on --session ${SESSION}`]);
  });

  test('is the newest of the folder, or the one that is named; the others are counted', () => {
    const host = healthy();
    compacted(host);
    const other = path.join(path.dirname(host.transcript), 'other.jsonl');
    copyFileSync(host.transcript, other);
    host.fire('UserPromptSubmit', { session_id: 'other', transcript_path: other, prompt: 'x' });
    utimesSync(host.transcript, new Date(0), new Date(0));
    expect(doctor(host).conversation?.id).toBe('other');
    const named = doctor(host, '--session', SESSION);
    expect(named.conversation?.id).toBe(SESSION);
    expect(named.findings.map(text)).toContain(
      'ok: 1 more with state here: plimsoll doctor --session ID → null',
    );
    const unknown = doctor(host, '--session', 'nobody');
    expect(unknown.code).toBe(1);
    expect(unknown.findings.map(text)).toContain(
      'fault: no transcript and no state of "nobody" → plimsoll status shows ids',
    );
  });
});

describe('anywhere, with anything broken', () => {
  const everything: [string, (host: Host) => void][] = [
    ['nothing at all', () => {}],
    ['the home folder', (host) => moveTo(host, host.env.HOME ?? '')],
    ['the top of the file system', (host) => moveTo(host, '/')],
    [
      'a project that is gone',
      (host) => {
        host.env.CLAUDE_PROJECT_DIR = path.join(host.root, 'gone');
      },
    ],
    [
      'no PATH',
      (host) => {
        host.env.PATH = host.root;
      },
    ],
    [
      'no HOME',
      (host) => {
        delete host.env.HOME;
      },
    ],
    [
      'settings files that are folders',
      (host) => {
        for (const name of ['settings.json', 'settings.local.json']) {
          mkdirSync(path.join(host.project, '.claude', name), { recursive: true });
          mkdirSync(path.join(host.env.HOME ?? '', '.claude', name), { recursive: true });
        }
      },
    ],
    [
      'settings of odd shapes',
      (host) => {
        write(local(host), { hooks: { Stop: [null, { hooks: 7 }, { hooks: [null, 'x'] }], PreCompact: 3 } });
        write(path.join(host.project, '.claude', 'settings.json'), '[]');
        write(path.join(host.env.HOME ?? '', '.claude', 'settings.json'), {
          enabledPlugins: 7,
          disableAllHooks: 'x',
        });
        write(path.join(host.env.HOME ?? '', '.claude.json'), { projects: [1] });
      },
    ],
    [
      'garbage in every file of ours',
      (host) => {
        for (const name of [
          'config.toml',
          'config.snapshot.json',
          'failures.jsonl',
          'off',
          '.gitignore',
          `conversations/${SESSION}.json`,
          `conversations/${SESSION}.beats`,
          'checkpoints/cx-001-checkpoint.json',
          'checkpoints/cx-001-checkpoint.json.acknowledged',
        ]) {
          write(host.state(name), '\0\u00ff{"torn');
        }
        for (const name of ['installs.json', 'compaction-points.json', 'failures.jsonl'])
          write(path.join(host.env.XDG_STATE_HOME ?? '', 'plimsoll', name), 'null');
        write(path.join(data(host), 'current'), 'a file');
      },
    ],
    [
      'folders where files should be',
      (host) => {
        for (const name of [
          'config.toml',
          'config.snapshot.json',
          'failures.jsonl',
          `conversations/${SESSION}.json`,
          `conversations/${SESSION}.beats`,
          'checkpoints/cx-001-checkpoint.json',
        ])
          mkdirSync(host.state(name), { recursive: true });
        mkdirSync(path.join(host.env.XDG_STATE_HOME ?? '', 'plimsoll', 'installs.json'), { recursive: true });
      },
    ],
    [
      'files where folders should be',
      (host) => {
        for (const name of ['conversations', 'checkpoints']) write(host.state(name), 'x');
        write(path.join(host.env.XDG_STATE_HOME ?? '', 'plimsoll'), 'x');
        write(path.join(host.project, '.claude'), 'x');
      },
    ],
    [
      'a transcript that is a folder',
      (host) => {
        const folder = host.project.replace(/[^A-Za-z0-9]/g, '-');
        mkdirSync(path.join(host.env.HOME ?? '', '.claude', 'projects', folder, `${SESSION}.jsonl`), {
          recursive: true,
        });
      },
    ],
    ['broken git', (host) => write(path.join(host.project, '.git', 'HEAD'), 'nonsense')],
  ];

  function moveTo(host: Host, folder: string): void {
    host.project = folder;
    delete host.env.CLAUDE_PROJECT_DIR;
  }

  test.each(everything)('%s: findings, no crash, in both forms', (_name, breakIt) => {
    const host = newHost();
    breakIt(host);
    const folder = existsSync(host.project) ? host.project : host.root;
    const options = { cwd: folder, env: host.env, encoding: 'utf8' } as const;
    for (const args of [['doctor'], ['doctor', '--json'], ['doctor', '--json', '--session', SESSION]]) {
      const result = spawnSync(process.execPath, [CLI, ...args], options);
      expect([args, result.stderr]).toEqual([args, '']);
      expect([0, 1]).toContain(result.status);
      expect(result.stdout).not.toContain('please report it');
      if (!args.includes('--json')) continue;
      const { findings } = JSON.parse(result.stdout) as Report;
      expect(findings.length).toBeGreaterThan(3);
      expect(result.status).toBe(findings.some((each) => each.level === 'fault') ? 1 : 0);
      for (const each of findings.filter(({ level }) => level === 'fault')) expect(each.fix).toBeTruthy();
    }
  });
});
