import { describe, expect, test } from 'vitest';
import type { Formatter } from './finding.ts';
import { checkFailures, type StateFacts, stateFindings } from './state-findings.io.ts';

const NOW = Date.parse('2026-11-28T10:00:00.000Z');
const HOUR = 3_600_000;
const WORDS: Formatter = {
  path: (path) => path,
  ago: (at) => `${Math.round((NOW - (typeof at === 'number' ? at : Date.parse(at))) / HOUR)} h ago`,
};

const HEALTHY: StateFacts = {
  folder: '.plimsoll',
  outside: null,
  foreign: [],
  exists: true,
  isWritable: true,
  blocked: [],
  seenByGit: [],
  stray: [],
  off: null,
  problems: [],
  notFollowed: [],
  sessions: { count: 1, newer: [], unreadable: [], setAside: [] },
  newer: [],
  checkpoints: { count: 2, damaged: [], newer: [], untold: [] },
  ahead: [],
  leftovers: [],
  git: null,
  ignoreList: 'there',
};
const sessions = (more: object) => ({ sessions: { ...HEALTHY.sessions, ...more } });
const checkpoints = (more: object) => ({ checkpoints: { ...HEALTHY.checkpoints, ...more } });
const text = ({ level, finding, fix }: { level: string; finding: string; fix: string | null }): string =>
  `${level}: ${finding} → ${fix}`;
const amiss = (more: Partial<StateFacts>): string[] =>
  stateFindings({ ...HEALTHY, ...more }, WORDS)
    .map(text)
    .filter((each) => !each.startsWith('ok'));

test('counts what is kept', () => {
  const found = (more: Partial<StateFacts>): string[] =>
    stateFindings({ ...HEALTHY, ...more }, WORDS).map(text);
  expect(found({})).toEqual(['ok: .plimsoll: 1 session, 2 checkpoints → null']);
  expect(found({ exists: false })).toEqual(['ok: .plimsoll: nothing is kept yet → null']);
  expect(amiss({ seenByGit: null })).toEqual([]);
});

const rows: [string, Partial<StateFacts>, RegExp][] = [
  [
    'PLIMSOLL=off',
    { off: { by: 'environment', origin: 'PLIMSOLL' } },
    /^info: silenced: PLIMSOLL=off.* → unset/,
  ],
  [
    'enabled = false',
    { off: { by: 'setting', origin: 'project' } },
    /^info: silenced: "enabled" is false \(project\)/,
  ],
  [
    'plimsoll off',
    { off: { by: 'project', origin: 'off' } },
    /^info: silenced for this project → plimsoll on$/,
  ],
  [
    'a setting that cannot be used',
    { problems: [{ where: 'a.toml:2:1', message: 'bad' }] },
    /^info: a\.toml:2:1: bad → correct it/,
  ],
  [
    'a folder that cannot be written',
    { isWritable: false },
    /^error: \.plimsoll is no folder, or cannot be written/,
  ],
  [
    'content that git sees',
    { seenByGit: ['a/1', 'a/2', 'a/3', 'a/4', 'a/5'] },
    /^error: git does not ignore .*: a\/1, a\/2, a\/3 and 2 more → add them to \.gitignore.*git rm --cached/,
  ],
  [
    'a folder of ours in the home folder',
    { stray: ['/home/me/.plimsoll'] },
    /^info: \/home\/me\/\.plimsoll is there/,
  ],
  [
    'a session of a newer version',
    sessions({ newer: ['c.json'] }),
    /^error: c\.json written by a newer version; left alone.* → this plimsoll is older than the state: npm install --global/,
  ],
  [
    'another file of a newer version',
    { newer: ['s.json'] },
    /^info: s\.json written by a newer version; left alone → .*npm install/,
  ],
  [
    'a checkpoint of a newer version',
    checkpoints({ newer: ['cx-9'] }),
    /^info: cx-9 written by a newer version/,
  ],
  ['unreadable state', sessions({ unreadable: ['c.json'] }), /^info: c\.json cannot be read; the next hook/],
  [
    'state that was set aside',
    sessions({ setAside: ['c.json.unreadable'] }),
    /^info: c\.json\.unreadable was unreadable/,
  ],
  [
    'a damaged checkpoint',
    checkpoints({ damaged: [{ id: 'cx-001', fault: 'torn' }] }),
    /^info: cx-001 cannot be used: torn → plimsoll checkpoint verify/,
  ],
  [
    'checkpoints that were told and not marked',
    checkpoints({ untold: ['cx-001', 'cx-002'] }),
    /^info: cx-001 and cx-002 not marked as told, though the agent was told → plimsoll checkpoint ack cx-001 cx-002$/,
  ],
];
test.each(rows)('%s is the one thing amiss', (_name, more, expected) => {
  const found = amiss(more);
  expect(found).toHaveLength(1);
  expect(found[0]).toMatch(expected);
});

describe('checkFailures()', () => {
  const line = (hours: number, part = 'checkpoint', error = 'ENOSPC: full') => ({
    at: new Date(NOW - hours * HOUR).toISOString(),
    hook: 'PreCompact',
    part,
    error,
  });
  const found = (...lines: ReturnType<typeof line>[]): string[] =>
    checkFailures(
      [
        { log: 'f.jsonl', lines },
        { log: 'u.jsonl', lines: [] },
      ],
      NOW,
      WORDS,
    ).map(text);

  test('none, and none of late', () => {
    expect(found()).toEqual(['ok: none → null']);
    expect(found(line(30), line(25))).toEqual([
      'ok: none in the last 24 hours; the last one 25 h ago → null',
    ]);
  });

  test('a few of one part are worth a note, more than three in a day are a fault', () => {
    const three = [line(50), line(5), line(3), line(2, 'checkpoint', 'EACCES: denied')];
    expect(found(...three)).toEqual([
      'info: "checkpoint" failed 3 times in the last 24 hours, last in PreCompact 2 h ago: EACCES: denied → see f.jsonl',
    ]);
    expect(found(...three, line(1))[0]).toMatch(
      /^error: "checkpoint" failed 4 times .* 1 h ago: ENOSPC: full/,
    );
  });

  test('each part apart, the latest first, of both logs, five at most', () => {
    const own = [line(9, 'a'), line(3, 'b'), line(20, 'c'), line(8, 'd')];
    const user = [line(1, 'a'), line(7, 'e'), line(6, 'f')];
    const findings = checkFailures(
      [
        { log: 'f.jsonl', lines: own },
        { log: 'u.jsonl', lines: user },
      ],
      NOW,
      WORDS,
    );
    expect(findings.map((each) => /"(\w)"/.exec(each.finding)?.[1])).toEqual(['a', 'b', 'f', 'e', 'd']);
    expect(findings[0]?.finding).toContain('failed 2 times');
    expect(findings[0]?.fix).toBe('see u.jsonl');
  });
});
