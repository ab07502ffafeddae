// Random changes of settings, the hand-written texts that they change, and what must hold afterwards.

import fc from 'fast-check';
import { parse } from 'smol-toml';
import { expect } from 'vitest';

/** `value` undefined: the key is taken out. */
export interface Edit {
  key: string;
  value?: unknown;
}

const number = (...values: number[]) => fc.constantFrom(...values);
const VALUES: Record<string, fc.Arbitrary<unknown>> = {
  enabled: fc.boolean(),
  'context_monitor.enabled': fc.boolean(),
  'context_monitor.threshold_base': fc.constantFrom('limit', 'window'),
  'context_monitor.emit': fc.constantFrom('always', 'on-change', 'off'),
  'context_monitor.low_threshold': number(0.3, 0.5, 0.55),
  'context_monitor.warning_threshold': number(0.6, 0.7),
  'context_monitor.window_tokens': number(200_000, 1_000_000),
  'context_monitor.model_windows': fc.constantFrom({}, { 'glm-5.1': 128_000 }, { a: 20_000, 'b c': 30_000 }),
  'context_monitor.model_windows."claude-x"': number(200_000, 1_000_000),
  'context_monitor.model_windows."glm-5.1"': number(128_000, 200_000),
  'checkpoint.keep': number(1, 50, 200),
  'checkpoint.on_tier_rise': fc.boolean(),
  'resume.auto': fc.constantFrom('unfinished', 'off'),
  'resume.max_age_hours': number(0, 0.5, 72),
  'orchestration.path': fc.constantFrom('docs/a b.yaml', 'a "quoted" # name', "it's", 'tab\\path'),
};

export const EDITS: fc.Arbitrary<Edit> = fc.constantFrom(...Object.keys(VALUES)).chain((key) =>
  fc.oneof(
    fc.constant({ key }),
    (VALUES[key] ?? fc.constant(0)).map((value) => ({ key, value })),
  ),
);

const RECORD = 'context_monitor.model_windows';
export const pathOf = (key: string): string[] =>
  key.startsWith(`${RECORD}.`)
    ? [...RECORD.split('.'), key.slice(RECORD.length + 1).replaceAll('"', '')]
    : key.split('.');

/** Hand-written texts; every comment is one of its own, `#c` and a number. */
export const TEXTS: Record<string, string> = {
  tables: `#c01 Settings of the team. See https://example.com/#top
#c02 second line

enabled = true          #c03 aligned

#c05 about the monitor
[context_monitor] #c06 on a header
#c07 before the base
threshold_base = "window"   #c08
  emit = "always" #c09 indented

#c10 a block of its own

#c11 large
window_tokens = 1_000_000
unknown = [ #c12 in an array
  "a # no comment", #c13
  'b', #c14
] #c15 behind it

[context_monitor.model_windows]
#c16 models
"claude-x" = 200_000 #c17
"glm-5.1" = 128_000

#c18 about checkpoints
[checkpoint]
keep = 20
#c19 at the end of the table

#c20 others keep theirs here
[[other]]
enabled = 1 #c21
[[other]]
enabled = 2
#c22 the very end
`,
  texts: `#c01 texts
text = """
# no comment
enabled = false
""" #c05
enabled = false

#c06
[checkpoint]
keep=20#c07 no blank
`,
  windows: `\uFEFF#c01 head\r\nenabled = true #c02\r\n\r\n[context_monitor]\r\n#c03\r\nthreshold_base = 'window'\r\n\r\n#c04\r\n`,
  bare: '#c01 nothing but comments\n\n#c02\n',
  headers:
    '[context_monitor.model_windows]\n\n[resume] #c01\n\t[checkpoint]\n\tkeep = 5 #c02\n[context_monitor]',
  empty: '',
};

export const commentsIn = (text: string): string[] =>
  text.match(/#c\d\d[^\r\n]*/g)?.map((each) => each.trimEnd()) ?? [];

/** Data without tables that hold nothing, which say as much as none; a record that is empty says something. */
function essential(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, each]) => [name, essential(each)] as const)
      .filter(([, each]) => !(typeof each === 'object' && each !== null && Object.keys(each).length === 0)),
  );
}

/** The same changes to plain data. */
export function modelled(data: Record<string, unknown>, { key, value }: Edit): Record<string, unknown> {
  const copy = structuredClone(data);
  const path = pathOf(key);
  const name = path.pop() ?? '';
  let table = copy;
  for (const part of path) {
    if (typeof table[part] !== 'object') {
      if (value === undefined) return copy;
      table[part] = {};
    }
    table = table[part] as Record<string, unknown>;
  }
  if (value === undefined) delete table[name];
  else table[name] = value;
  return copy;
}

/** Lines that no change speaks of: neither a key that was changed nor the header of a table. */
function untouched(text: string, edits: readonly Edit[]): string[] {
  const names = edits.flatMap(({ key }) =>
    key === RECORD ? ['claude-x', 'glm-5.1', 'model_windows'] : [pathOf(key).at(-1) ?? ''],
  );
  return text
    .split('\n')
    .filter(
      (line) => line.trim() !== '' && !/^\s*\[/.test(line) && !names.some((name) => line.includes(name)),
    );
}

/** What must hold of a text before and after changes. */
export function expectKept(before: string, after: string, edits: readonly Edit[]): void {
  expect(commentsIn(after)).toEqual(commentsIn(before));
  const bare = before.replace(/^\uFEFF/, '');
  let model = parse(bare) as Record<string, unknown>;
  for (const edit of edits) model = modelled(model, edit);
  expect(essential(parse(after))).toEqual(essential(model));
  expect(after.startsWith('\uFEFF')).toBe(before.startsWith('\uFEFF'));
  if (before.includes('\r\n')) expect(after.replaceAll('\r\n', '')).not.toContain('\n');
  else expect(after).not.toContain('\r');
  const lines = after
    .replace(/^\uFEFF/, '')
    .split('\n')
    .map((line) => line.trimEnd());
  const places = untouched(bare, edits).map((line) => lines.indexOf(line.trimEnd()));
  expect(places).not.toContain(-1);
  if (new Set(places).size === places.length) expect(places).toEqual([...places].sort((a, b) => a - b));
}
