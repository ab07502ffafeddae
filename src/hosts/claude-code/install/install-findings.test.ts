import { describe, expect, test } from 'vitest';
import type { DoctorFinding, Formatter } from '../../../doctor/finding.ts';
import { checkHooks, findRedundantCommand, type InstallFacts } from './install-findings.ts';
import type { ScopeFacts } from './registration-findings.ts';

const WORDS: Formatter = { path: (path) => path, ago: () => '3 min ago' };
const EVENTS = ['UserPromptSubmit', 'PostToolBatch', 'PreCompact', 'SessionStart', 'Stop', 'SessionEnd'];

const scope = (name: ScopeFacts['scope'], more: Partial<ScopeFacts> = {}): ScopeFacts => ({
  scope: name,
  path: `${name}.json`,
  fault: null,
  events: EVENTS,
  hooks: (more.events ?? EVENTS).map((event) => ({ event, timeout: 5, command: name })),
  changes: [],
  wasInstalled: false,
  unknownEvents: [],
  ...more,
});

/** All hooks, one of them in another form. */
const but = (
  event: string,
  more: { matcher?: string; timeout?: number; flaw?: string },
): ScopeFacts['hooks'] =>
  EVENTS.map((each) => ({ event: each, timeout: 5, command: 'x', ...(each === event ? more : {}) }));

const HEALTHY: InstallFacts = {
  isProject: true,
  scopes: [scope('local'), scope('project', { events: [] }), scope('user', { events: [] })],
  plugin: null,
  firstWithModules: '2.1.287',
  disabled: null,
  isTrusted: true,
  hasRun: true,
  hasModule: false,
  client: '2.1.332',
  firstWithBatch: '2.1.118',
  isLocalSeen: false,
  foreign: [],
};
const NONE = HEALTHY.scopes.map((each) => ({ ...each, events: [] }));

const findingsOf = (more: Partial<InstallFacts>): DoctorFinding[] =>
  checkHooks({ ...HEALTHY, ...more }, WORDS);
/** What is not in order, as `level: finding → fix`. */
const amiss = (more: Partial<InstallFacts>): string[] =>
  findingsOf(more)
    .filter((each) => each.level !== 'ok')
    .map(({ level, finding, fix }) => `${level}: ${finding} → ${fix}`);

test('two scopes with the same commands, which the client runs once, are in order', () => {
  const user = scope('user', { hooks: scope('local').hooks });
  expect(amiss({ scopes: [scope('local'), user] })).toEqual([]);
});

test('one full registration is in order', () => {
  expect(findingsOf({})).toEqual([
    {
      level: 'ok',
      about: 'hooks',
      finding: `registered in local.json: ${EVENTS.join(', ')}`,
      fix: null,
    },
    { level: 'ok', about: 'client', finding: 'Claude Code 2.1.332', fix: null },
  ]);
});

const rows: [string, Partial<InstallFacts>, RegExp][] = [
  [
    'the plugin alone, with a client that is too old for its module',
    { scopes: NONE, plugin: { id: 'plimsoll@market', gone: null }, client: '2.1.286' },
    /^error: the plugin answers prompts and tools from inside the client, which needs 2\.1\.287, and this is 2\.1\.286: .* → plimsoll init/,
  ],
  [
    'a plugin that claude was started with',
    { scopes: NONE, hasModule: true },
    /^info: of the plugin that claude was started with \(--plugin-dir\).* → plimsoll init/,
  ],
  [
    'no registration, with figures of a module that went without hooks',
    { scopes: NONE, hasModule: true, hasRun: false },
    /^error: not registered/,
  ],
  ['no registration', { scopes: NONE }, /^error: not registered: .* → plimsoll init$/],
  [
    'no registration in the home folder',
    { scopes: NONE, isProject: false },
    /^info: not registered.* → plimsoll init --scope user/,
  ],
  [
    'a broken settings file',
    { scopes: [scope('local'), scope('user', { fault: 'line 3', events: [] })] },
    /^error: user\.json cannot be read, line 3: .* → correct the file, and run plimsoll doctor again$/,
  ],
  [
    'a broken settings file without which nothing is registered',
    { scopes: [scope('local', { fault: 'line 3', events: [] })] },
    /^error: local\.json cannot be read, line 3: /,
  ],
  [
    'hooks that were there',
    { scopes: [scope('local', { events: [], wasInstalled: true })] },
    /^error: local\.json has lost the hooks that init put there → plimsoll init$/,
  ],
  [
    'a matcher that misses a compaction',
    { scopes: [scope('local', { hooks: but('SessionStart', { matcher: 'startup|clear' }) })] },
    /^error: SessionStart in local\.json runs for "startup\|clear" only: compact is missing, and the alert/,
  ],
  [
    'a matcher that misses automatic compactions',
    { scopes: [scope('local', { hooks: but('PreCompact', { matcher: 'manual' }) })] },
    /^error: PreCompact in local\.json runs for "manual" only: auto is missing, and the checkpoint/,
  ],
  [
    'a hook that the client leaves out',
    { scopes: [scope('local', { hooks: but('Stop', { flaw: 'does not run: its type is "prompt"' }) })] },
    /^error: Stop in local\.json does not run: its type is "prompt" → plimsoll init$/,
  ],
  [
    'the plugin alone, whose folder is gone',
    { scopes: NONE, plugin: { id: 'plimsoll@market', gone: '/p/dist/plugin' } },
    /^error: the plugin plimsoll@market is enabled, but the client reads it from \/p\/dist\/plugin, which is gone: nothing of it runs → .*claude plugin marketplace add FOLDER$/,
  ],
  [
    'timeouts in milliseconds',
    { scopes: [scope('local', { hooks: but('UserPromptSubmit', { timeout: 5_000 }) })] },
    /^error: timeouts in local\.json are seconds, .*UserPromptSubmit has 5000, .* 83 minutes → plimsoll init$/,
  ],
  [
    'an event of others that drops the whole file',
    {
      client: '2.0.76',
      scopes: [
        scope('local', {
          events: EVENTS.filter((each) => each !== 'PostToolBatch').concat('PostToolUse'),
          unknownEvents: ['PostCompact'],
        }),
      ],
    },
    /^error: local\.json names PostCompact, which Claude Code 2\.0\.76 does not know/,
  ],
  [
    'another copy of our own hooks',
    { foreign: [{ event: 'Stop', from: 'user.json', command: 'node /src/plimsoll/dist/hook.cjs Stop' }] },
    /^error: Stop in user\.json \("node \/src\/plimsoll\/dist\/hook\.cjs Stop"\) is another copy/,
  ],
  [
    'a hook that blocks compactions',
    { foreign: [{ event: 'PreCompact', from: 'user.json', command: 'echo save first >&2; exit 2' }] },
    /^error: PreCompact in user\.json .* blocks compactions/,
  ],
  [
    'a plugin that tells of the session before',
    { foreign: [{ event: 'plugin', from: 'claude-mem@market', command: 'claude-mem@market' }] },
    /^info: the plugin claude-mem@market also tells a session of the one before it → keep one/,
  ],
  [
    'an earlier form',
    { scopes: [scope('local', { changes: ['~ SessionStart, x', '+ Stop, y'] })] },
    /^info: local\.json is of another form .*: ~ SessionStart, x; \+ Stop, y → plimsoll init$/,
  ],
  [
    'an earlier form in what a team shares',
    { scopes: [scope('project', { changes: ['+ Stop'] })] },
    / → plimsoll init --scope project$/,
  ],
  [
    'no PreCompact',
    { scopes: [scope('user', { events: EVENTS.filter((each) => each !== 'PreCompact') })] },
    /^error: user\.json lacks PreCompact → plimsoll init --scope user$/,
  ],
  [
    'no hook in the middle of a turn',
    { scopes: [scope('local', { events: EVENTS.filter((each) => each !== 'PostToolBatch') })] },
    /^error: local\.json lacks PostToolBatch or PostToolUse → plimsoll init$/,
  ],
  [
    'one event twice in a file',
    { scopes: [scope('local', { events: [...EVENTS, 'Stop'], changes: ['- Stop, a second copy'] })] },
    /^error: local\.json has Stop twice: each runs twice → plimsoll init$/,
  ],
  [
    'PostToolBatch with a client that does not know it',
    { client: '2.1.117' },
    /^error: local\.json names PostToolBatch, which Claude Code 2\.1\.117 does not know/,
  ],
  [
    'the hooks in two scopes',
    { scopes: [scope('local'), scope('project')] },
    /^error: UserPromptSubmit, .* and SessionEnd are registered in local\.json and project\.json: each runs twice → plimsoll uninstall --scope local$/,
  ],
  [
    'the hooks in three scopes',
    { scopes: [scope('local'), scope('project'), scope('user')] },
    /local\.json, project\.json and user\.json: each runs more than once/,
  ],
  [
    'a plugin beside them',
    { plugin: { id: 'plimsoll@market', gone: null } },
    /^info: the plugin plimsoll@market has them too, and yields to those of local\.json;.*claude plugin disable plimsoll@market$/,
  ],
  [
    'hooks that are switched off in the client',
    { disabled: { key: 'disableAllHooks', path: 'user.json', isManaged: false } },
    /^error: "disableAllHooks" is set in user\.json: .* → take "disableAllHooks" out of the file$/,
  ],
  [
    'hooks that only whoever manages the machine may register',
    { disabled: { key: 'allowManagedHooksOnly', path: '/etc/m.json', isManaged: true } },
    /^error: "allowManagedHooksOnly" .* → ask who manages/,
  ],
  [
    'a folder that is not trusted',
    { isTrusted: false, hasRun: false },
    /^info: this folder is not marked as trusted.* → run claude in this folder/,
  ],
  [
    'settings of one person that git sees',
    { isLocalSeen: true },
    /^info: git sees local\.json.* → add it to \.gitignore/,
  ],
  ['no client on PATH', { client: null }, /^info: claude was not found on PATH/],
];

test('a client of an unknown version is asked whether the module has spoken', () => {
  const plugin = { id: 'plimsoll@market', gone: null };
  const facts = { scopes: NONE, plugin, client: null, hasRun: true };
  expect(amiss(facts)[0]).toMatch(/^info: the plugin's module has not spoken .* → plimsoll init/);
  expect(amiss({ ...facts, hasModule: true }).join()).not.toContain('module');
});

test.each(rows)('%s is the one thing amiss', (_name, more, expected) => {
  const found = amiss(more);
  expect(found).toHaveLength(1);
  expect(found[0]).toMatch(expected);
});

const fine: [string, Partial<InstallFacts>][] = [
  ['a plugin alone', { scopes: NONE, plugin: { id: 'plimsoll@market', gone: null } }],
  // The client's mark of trust is not always kept up to date; hooks that ran are the better evidence.
  ['a folder without the mark of trust, in which hooks have run', { isTrusted: false, hasRun: true }],
  ['a folder of which the client says nothing', { isTrusted: null, hasRun: false }],
  ['PostToolBatch with the first client that knows it', { client: '2.1.118' }],
  ['git that cannot say what it sees', { isLocalSeen: null }],
];
test.each(fine)('%s is in order', (_name, more) => {
  expect(amiss(more)).toEqual([]);
});

describe('spareCommand()', () => {
  test('takes out the registration that serves the fewest', () => {
    expect(findRedundantCommand(['local', 'user'])).toBe('plimsoll uninstall --scope local');
    expect(findRedundantCommand(['project', 'local'])).toBe('plimsoll uninstall --scope local');
    expect(findRedundantCommand(['project', 'user'])).toContain('--scope user (or --scope project');
  });
});

test('hooks of others that do not get in the way are not spoken of', () => {
  const foreign = [
    { event: 'PreCompact', from: 'user.json', command: 'notify-send compacting' },
    { event: 'Stop', from: 'user.json', command: 'exit 2' },
    { event: 'PreToolUse', from: 'user.json', command: '~/bin/guard.sh' },
  ];
  expect(amiss({ foreign })).toEqual([]);
});

test('doctor fixes hooks where init has put them, and asks whoever shares a file', () => {
  const fixes = (each: ScopeFacts): (string | undefined)[] =>
    findingsOf({ scopes: [each] })
      .filter(({ level }) => level !== 'ok')
      .map(({ fixable }) => fixable);
  expect(fixes(scope('local', { changes: ['+ Stop'] }))).toEqual(['hooks']);
  expect(fixes(scope('project', { changes: ['+ Stop'] }))).toEqual([undefined]);
  expect(fixes(scope('project', { changes: ['+ Stop'], wasInstalled: true }))).toEqual(['hooks']);
});
