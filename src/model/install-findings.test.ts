import { describe, expect, test } from 'vitest';
import type { Finding, Words } from './finding.ts';
import { hookFindings, type InstallFacts, type ScopeFacts, spareCommand } from './install-findings.ts';

const WORDS: Words = { path: (path) => path, ago: () => '3 min ago' };
const EVENTS = ['UserPromptSubmit', 'PostToolBatch', 'PreCompact', 'SessionStart', 'Stop', 'SessionEnd'];

const scope = (name: ScopeFacts['scope'], more: Partial<ScopeFacts> = {}): ScopeFacts => ({
  scope: name,
  path: `${name}.json`,
  fault: null,
  events: EVENTS,
  changes: [],
  ...more,
});

const HEALTHY: InstallFacts = {
  isProject: true,
  scopes: [scope('local'), scope('project', { events: [] }), scope('user', { events: [] })],
  plugin: null,
  disabled: null,
  isTrusted: true,
  hasRun: true,
  client: '2.1.332',
  firstWithBatch: '2.1.118',
  isLocalSeen: false,
};
const NONE = HEALTHY.scopes.map((each) => ({ ...each, events: [] }));

const findingsOf = (more: Partial<InstallFacts>): Finding[] => hookFindings({ ...HEALTHY, ...more }, WORDS);
/** What is not in order, as `level: finding → fix`. */
const amiss = (more: Partial<InstallFacts>): string[] =>
  findingsOf(more)
    .filter((each) => each.level !== 'ok')
    .map(({ level, finding, fix }) => `${level}: ${finding} → ${fix}`);

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
  ['no registration', { scopes: NONE }, /^fault: not registered: .* → plimsoll init$/],
  [
    'no registration in the home folder',
    { scopes: NONE, isProject: false },
    /^note: not registered.* → plimsoll init --scope user/,
  ],
  [
    'a broken settings file',
    { scopes: [scope('local'), scope('user', { fault: 'line 3', events: [] })] },
    /^fault: user\.json cannot be read, line 3: .* → correct the file$/,
  ],
  [
    'an earlier form',
    { scopes: [scope('local', { changes: ['~ SessionStart, x', '+ Stop, y'] })] },
    /^note: local\.json is of another form .*: ~ SessionStart, x; \+ Stop, y → plimsoll init$/,
  ],
  [
    'an earlier form in what a team shares',
    { scopes: [scope('project', { changes: ['+ Stop'] })] },
    / → plimsoll init --scope project$/,
  ],
  [
    'no PreCompact',
    { scopes: [scope('user', { events: EVENTS.filter((each) => each !== 'PreCompact') })] },
    /^fault: user\.json lacks PreCompact → plimsoll init --scope user$/,
  ],
  [
    'no hook in the middle of a turn',
    { scopes: [scope('local', { events: EVENTS.filter((each) => each !== 'PostToolBatch') })] },
    /^fault: local\.json lacks PostToolBatch or PostToolUse → plimsoll init$/,
  ],
  [
    'one event twice in a file',
    { scopes: [scope('local', { events: [...EVENTS, 'Stop'], changes: ['- Stop, a second copy'] })] },
    /^fault: local\.json has Stop twice: each runs twice → plimsoll init$/,
  ],
  [
    'PostToolBatch with a client that does not know it',
    { client: '2.1.117' },
    /^fault: local\.json names PostToolBatch, which Claude Code 2\.1\.117 does not know/,
  ],
  [
    'the hooks in two scopes',
    { scopes: [scope('local'), scope('project')] },
    /^fault: UserPromptSubmit, .* and SessionEnd are registered in local\.json and project\.json: each runs twice → plimsoll uninstall --scope local$/,
  ],
  [
    'the hooks in three scopes',
    { scopes: [scope('local'), scope('project'), scope('user')] },
    /local\.json, project\.json and user\.json: each runs more than once/,
  ],
  [
    'a plugin beside them',
    { plugin: 'plimsoll@market' },
    /^note: the plugin plimsoll@market has them too, and yields to those of local\.json;.*claude plugin disable plimsoll@market$/,
  ],
  [
    'hooks that are switched off in the client',
    { disabled: { key: 'disableAllHooks', path: 'user.json', isManaged: false } },
    /^fault: "disableAllHooks" is set in user\.json: .* → take "disableAllHooks" out of the file$/,
  ],
  [
    'hooks that only whoever manages the machine may register',
    { disabled: { key: 'allowManagedHooksOnly', path: '/etc/m.json', isManaged: true } },
    /^fault: "allowManagedHooksOnly" .* → ask who manages/,
  ],
  [
    'a folder that is not trusted',
    { isTrusted: false, hasRun: false },
    /^note: this folder is not marked as trusted.* → run claude in this folder/,
  ],
  [
    'settings of one person that git sees',
    { isLocalSeen: true },
    /^note: git sees local\.json.* → add it to \.gitignore/,
  ],
  ['no client on PATH', { client: null }, /^note: claude was not found on PATH/],
];

test.each(rows)('%s is the one thing amiss', (_name, more, expected) => {
  const found = amiss(more);
  expect(found).toHaveLength(1);
  expect(found[0]).toMatch(expected);
});

const fine: [string, Partial<InstallFacts>][] = [
  ['a plugin alone', { scopes: NONE, plugin: 'plimsoll@market' }],
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
    expect(spareCommand(['local', 'user'])).toBe('plimsoll uninstall --scope local');
    expect(spareCommand(['project', 'local'])).toBe('plimsoll uninstall --scope local');
    expect(spareCommand(['project', 'user'])).toContain('--scope user (or --scope project');
  });
});
