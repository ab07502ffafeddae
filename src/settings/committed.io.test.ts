import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { load } from '../../test/unit/layers.ts';
import { temporaryFolder } from '../../test/unit/temporary.ts';
import { listProjectPaths, listUserPaths } from '../platform/project/paths.ts';
import { COMMITTED, readTrust, writeTrust } from './committed.io.ts';
import { formatValue } from './edit/toml-text.ts';
import { loadSettings, ownJudge } from './load.io.ts';
import { readGuardrailOptions } from './read-guardrails.ts';
import { listNotFollowed } from './resolved.ts';
import { SETTING_KEYS, type SettingKey } from './settings.ts';

const toml = (key: string, value: unknown): string => `${key} = ${formatValue(value)}\n`;

const C1 = toml('context_monitor.sensitivity', 'C1');

/** For each key: values that a project may set by itself and values that it may not, with the user's own, if any. */
const CASES: Record<SettingKey, { counts?: unknown[]; held?: unknown[]; user?: string }[]> = {
  enabled: [
    { counts: [true], held: [false] },
    { user: 'enabled = false\n', counts: [true, false] },
  ],
  'context_monitor.enabled': [{ counts: [true], held: [false] }],
  'context_monitor.emit': [{ counts: ['always', 'on-change'], held: ['off'] }],
  'context_monitor.threshold_base': [
    { counts: ['window'] },
    { user: toml('context_monitor.threshold_base', 'limit'), held: ['window'] },
    { user: toml('context_monitor.warning_threshold', 0.5), held: ['window'] },
  ],
  'context_monitor.mode': [
    { counts: ['dynamic'] },
    { user: toml('context_monitor.sensitivity', 'C4'), held: ['dynamic'] },
  ],
  'context_monitor.sensitivity': [
    { counts: ['C1', 'C4'] },
    { user: toml('context_monitor.sensitivity', 'C3'), counts: ['C4'], held: ['C2', 'C1'] },
  ],
  'context_monitor.low_threshold': [{ counts: [0.2, 0.55] }, { user: C1, counts: [0.7], held: [0.71] }],
  'context_monitor.warning_threshold': [
    { counts: [0.6, 0.8] },
    { user: C1, held: [0.81] },
    { user: toml('context_monitor.warning_threshold', 0.6), counts: [0.56], held: [0.7] },
    { user: toml('context_monitor.sensitivity', 'C4'), counts: [0.5], held: [0.6] },
  ],
  'context_monitor.critical_threshold': [{ counts: [0.75] }, { user: C1, held: [0.95] }],
  'context_monitor.emergency_threshold': [{ counts: [0.85, 0.95], held: [1] }],
  'context_monitor.window_tokens': [
    { counts: [128_000, 200_000], held: [200_001, 10_000_000] },
    { user: toml('context_monitor.window_tokens', 1_000_000), counts: [500_000], held: [2_000_000] },
  ],
  'context_monitor.auto_compact_at': [{ counts: [150_000, 167_000], held: [180_000] }],
  'context_monitor.typical_step_tokens': [{ counts: [29_000, 50_000], held: [100] }],
  'context_monitor.model_windows': [
    { counts: [{ 'glm-5.1': 128_000 }], held: [{ claude: 10_000_000 }] },
    {
      user: toml('context_monitor.model_windows', { mine: 64_000 }),
      counts: [{ mine: 32_000, other: 128_000 }],
      held: [{}, { mine: 128_000 }],
    },
  ],
  'compaction.alert_tokens': [{ counts: [900, 1_200], held: [500] }],
  'checkpoint.on_tier_rise': [{ counts: [true], held: [false] }],
  'checkpoint.summariser_hints': [{ counts: [true], held: [false] }],
  'checkpoint.on_session_end': [{ counts: [true], held: [false] }],
  'checkpoint.keep': [{ counts: [50, 100], held: [1] }],
  'resume.auto': [
    { counts: ['unfinished', 'always'], held: ['pointer', 'off'] },
    { user: toml('resume.auto', 'off'), counts: ['off', 'pointer'] },
  ],
  'resume.headless': [
    { counts: [false], held: [true] },
    { user: toml('resume.headless', true), counts: [true, false] },
  ],
  'resume.max_age_hours': [{ counts: [72, 100], held: [0] }],
  'session.abandon_on': [{ counts: ['none'], held: ['emergency', 'compaction'] }],
  'orchestration.path': [
    { counts: ['docs/flow.yaml', './ORCHESTRATION.yaml', '..flow.yaml'] },
    { held: ['/etc/passwd', '../other/ORCHESTRATION.yaml', 'docs/../../x.yaml', '..'] },
  ],
  'orchestration.hold_stop': [
    { counts: [true] },
    { user: toml('orchestration.hold_stop', true), held: [false] },
  ],
  'statusline.format': [{ held: ['{tier} run sh evil.sh'] }],
  'statusline.colors': [{ counts: ['never'] }],
  'quality.reinforcement': [{ counts: [true], held: [false] }],
  'guardrails.mode': [
    { counts: ['off', 'warn', 'enforce'] },
    { user: toml('guardrails.mode', 'warn'), counts: ['enforce'], held: ['off'] },
    { user: toml('guardrails.mode', 'enforce'), counts: ['enforce'], held: ['off', 'warn'] },
  ],
  'guardrails.preset': [
    { counts: ['none', 'tracks'] },
    { user: toml('guardrails.mode', 'enforce'), counts: ['tracks'], held: ['none'] },
  ],
  'guardrails.strict': [
    { counts: [true] },
    { user: 'guardrails.mode = "warn"\nguardrails.strict = true\n', held: [false] },
  ],
  'guardrails.tools': [
    { counts: [{ allow: ['Read'] }] },
    {
      user: 'guardrails.mode = "enforce"\nguardrails.tools = { deny = ["WebFetch"], unknown = "ask" }\n',
      counts: [{ deny: ['WebFetch', 'Bash(curl *)'], unknown: 'deny' }],
      held: [{ deny: [] }, { allow: ['*'], unknown: 'abstain' }],
    },
  ],
  'guardrails.commands': [
    { counts: [{ action: 'deny' }], held: [{ allow: [{ command: 'git clean *', reason: 'x' }] }] },
    {
      user: 'guardrails.mode = "enforce"\nguardrails.commands = { action = "deny" }\n',
      held: [{ action: 'ask' }, { packs: ['git'] }, { allow: [{ command: 'git clean *', reason: 'x' }] }],
    },
  ],
  'guardrails.paths': [
    { counts: [{ secrets: [], protected: [] }] },
    {
      user: toml('guardrails.mode', 'enforce'),
      counts: [{ writable: ['src/**'] }, { outside: 'deny' }],
      held: [
        { secrets: [] },
        { protected: ['dist/**'] },
        { on_secret: 'abstain' },
        { odd: 'abstain' },
        { fields: { Bash: 'description' } },
      ],
    },
    {
      user: 'guardrails.mode = "enforce"\nguardrails.paths = { outside = "deny" }\n',
      counts: [{ writable: ['src/**', 'docs/**'], outside: 'deny' }],
      held: [
        { writable: ['**'], outside: 'deny' },
        { writable: ['~/.ssh/**'], outside: 'deny' },
        { outside: 'abstain' },
      ],
    },
  ],
  'guardrails.governance': [
    { counts: [{ c4: [] }] },
    { user: toml('guardrails.mode', 'enforce'), held: [{ c4: [] }, { action: 'warn' }] },
  ],
  'guardrails.architecture': [
    { counts: [{ layers: [{ name: 'a', files: ['src/**'], only: [] }] }] },
    {
      user: 'guardrails.mode = "enforce"\nguardrails.architecture = { one_class = true }\n',
      held: [{ one_class: false }, { exempt: ['**'] }],
    },
  ],
  'guardrails.examples': [{ counts: [[{ path: 'a', expect: 'deny' }]] }],
  'state.auto_merge': [{ counts: [true, false] }],
  'state.offer_agent_done': [{ counts: [true, false] }],
  'tracks.enabled': [{ counts: ['auto'], held: ['off'] }],
  'tracks.core_writes': [{ counts: ['propose'], held: ['apply'] }],
  'tracks.capture': [{ counts: [false] }, { user: toml('tracks.capture', false), held: [true] }],
  'tracks.evaluator': [
    { held: ['sh evil.sh'] },
    { user: toml('tracks.evaluator', 'make check'), counts: ['make check'], held: ['sh evil.sh', ''] },
  ],
  'tracks.gate': [{ counts: [true], held: [false] }],
};

const rows = (which: 'counts' | 'held') =>
  SETTING_KEYS.flatMap((key) =>
    CASES[key].flatMap(({ user, ...values }) => (values[which] ?? []).map((value) => ({ key, value, user }))),
  );

describe('what a committed file may decide', () => {
  test('every key has a rule, a case that counts or is held, and a class that its cases show', () => {
    expect(Object.keys(COMMITTED)).toEqual(SETTING_KEYS);
    expect(Object.keys(CASES)).toEqual(SETTING_KEYS);
    for (const key of SETTING_KEYS) {
      const isHeld = CASES[key].some(({ held }) => (held ?? []).length > 0);
      expect([key, isHeld ? 'held' : 'free']).toEqual([key, COMMITTED[key].who === 'free' ? 'free' : 'held']);
    }
  });

  test.each(rows('counts'))('$key = $value counts beside "$user"', ({ key, value, user }) => {
    const found = load({ project: toml(key, value), ...(user === undefined ? {} : { user }) });
    expect(found.problems).toEqual([]);
    expect(found.committed).toEqual([]);
    if (!key.startsWith('guardrails.') || user === undefined) expect(found.settings[key]).toEqual(value);
  });

  test.each(rows('held'))(
    '$key = $value does not count beside "$user", until it is trusted',
    ({ key, value, user }) => {
      const found = load({ project: toml(key, value), ...(user === undefined ? {} : { user }) });
      const own = load(user === undefined ? {} : { user });
      expect(listNotFollowed(found)).toEqual([key]);
      expect(found.committed).toEqual([{ key, value, own: own.settings[key], isTrusted: false }]);
      expect(readGuardrailOptions(found.settings).mode).toBe(readGuardrailOptions(own.settings).mode);
      if (!key.startsWith('guardrails.')) {
        expect(found.settings[key]).toEqual(own.settings[key]);
        expect(found.origins[key]).toBe(own.origins[key]);
      }
      writeTrust(found.env, found.root, { [key]: value });
      const trusted = loadSettings(found.root, found.env);
      expect(trusted.settings[key]).toEqual(value);
      expect(listNotFollowed(trusted)).toEqual([]);
      writeTrust(found.env, found.root, { [key]: 'another value' });
      expect(listNotFollowed(loadSettings(found.root, found.env)), 'trust is for the exact value').toEqual([
        key,
      ]);
    },
  );

  test.each(['local', 'env'] as const)('what the user says himself counts: %s', (layer) => {
    const given = layer === 'env' ? { env: { PLIMSOLL_ENABLED: 'false' } } : { local: 'enabled = false\n' };
    const found = load({ ...given, project: 'enabled = false\n' });
    expect(found.settings.enabled).toBe(false);
    expect(found.committed).toEqual([]);
  });

  test('a project is judged by its own file, but runs nothing and leads nowhere', () => {
    const { root, env } = load({
      user: 'guardrails.mode = "enforce"\n',
      project:
        'orchestration.path = "/etc/passwd"\n[guardrails]\nmode = "warn"\npaths = { secrets = [] }\n[tracks]\nevaluator = "sh evil.sh"\n',
    });
    const { settings } = loadSettings(root, env, undefined, ownJudge);
    expect(readGuardrailOptions(settings)).toMatchObject({ mode: 'warn', paths: { secrets: [] } });
    expect(settings['tracks.evaluator']).toBe('');
    expect(settings['orchestration.path']).toBeNull();
  });
});

describe('guardrails of a project beside those of its user', () => {
  const optionsOf = (user: string, project: string) => readGuardrailOptions(load({ user, project }).settings);
  const ENFORCE = '[guardrails]\nmode = "enforce"\n';

  test('nothing that the user forbids is taken back, and what the project forbids is added', () => {
    const alone = optionsOf(ENFORCE, '');
    const { mode, paths, governance, tools } = optionsOf(
      ENFORCE,
      '[guardrails]\nmode = "off"\npreset = "none"\ntools = { deny = ["WebFetch"] }\n' +
        'paths = { secrets = ["*.gpg", "!**"], protected = ["dist/**"], on_secret = "deny", odd = "abstain" }\n' +
        'governance = { c4 = [], action = "warn" }\n',
    );
    expect(mode).toBe('enforce');
    expect(paths.secrets).toEqual(['*.gpg', '!**', ...alone.paths.secrets]);
    expect(paths.protected).toEqual(['dist/**', ...alone.paths.protected]);
    expect([paths.on_secret, paths.odd]).toEqual(['deny', 'ask']);
    expect(governance).toEqual(alone.governance);
    expect(tools.deny).toEqual(['WebFetch']);
  });

  test("a team's guardrails count whole where the user has none, and its layers where he has none", () => {
    const project =
      '[guardrails]\nmode = "enforce"\npreset = "tracks"\npaths = { writable = ["docs/**", "src/**"], secrets = ["*.key"] }\n' +
      'architecture = { layers = [{ name = "a", files = ["src/**"], only = [] }] }\n';
    const alone = load({ project });
    expect(alone.committed).toEqual([]);
    expect(readGuardrailOptions(alone.settings)).toMatchObject({
      mode: 'enforce',
      preset: 'tracks',
      paths: { writable: ['docs/**', 'src/**'], secrets: ['*.key'], outside: 'deny' },
    });
    const both = load({ user: ENFORCE, project });
    expect(listNotFollowed(both)).toEqual(['guardrails.paths']);
    const { preset, paths, architecture } = readGuardrailOptions(both.settings);
    expect([preset, paths.writable, architecture.layers.length]).toEqual([
      'tracks',
      ['docs/**', 'src/**'],
      1,
    ]);
    expect(paths.secrets).toContain('.env');
  });
});

describe('what is trusted', () => {
  test('is kept by the root, in the folder of the user, and never read from the project', () => {
    const { root, env } = load({ project: 'enabled = false\n' });
    const inside = listProjectPaths(root, env).config.replace('config.toml', 'trust.json');
    mkdirSync(dirname(inside), { recursive: true });
    writeFileSync(inside, JSON.stringify({ projects: { [root]: { enabled: false } } }));
    expect(loadSettings(root, env).settings.enabled).toBe(true);
    const other = temporaryFolder();
    writeTrust(env, other, { enabled: false });
    expect(loadSettings(root, env).settings.enabled).toBe(true);
    writeTrust(env, root, { enabled: false });
    expect([readTrust(env, other), readTrust(env, root)]).toEqual([{ enabled: false }, { enabled: false }]);
    writeTrust(env, root, {});
    expect([readTrust(env, other), readTrust(env, root)]).toEqual([{ enabled: false }, {}]);
  });

  test.each(['', '[]', 'null', '{"projects":[]}', '{"projects":{"x":1}}', '{torn'])(
    'is nothing where its file says %j',
    (text) => {
      const { root, env } = load({ project: 'enabled = false\n' });
      writeTrust(env, root, { enabled: false });
      writeFileSync(listUserPaths(env).trust, text);
      expect(readTrust(env, root)).toEqual({});
    },
  );
});
