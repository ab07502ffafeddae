// Tests that a kept file which is JSON of other types than ours counts as unreadable: nothing wrong is said, and nothing missing.
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../cli/healthy.ts';
import { some } from '../kit/effort.ts';
import { answer, boundary, request, summary } from '../unit/lines.ts';
import { type Host, newHost, SESSION } from './host.ts';

const WRONG = [5, 'x', [], {}, null, true];
const compact = { trigger: 'auto', custom_instructions: null };

type Place = (string | number)[];

/** The place of every value in a parsed file, of the whole file first. */
const placesIn = (value: unknown, place: Place = []): Place[] =>
  typeof value === 'object' && value !== null
    ? [place, ...Object.entries(value).flatMap(([key, each]) => placesIn(each, [...place, key]))]
    : [place];

const valueAt = (value: unknown, place: Place): unknown =>
  place.reduce<unknown>((found, key) => (found as Record<string, unknown>)[key], value);

function withValue(value: unknown, [key, ...rest]: Place, wrong: unknown): unknown {
  if (key === undefined) return wrong;
  const inner = withValue((value as Record<string, unknown>)[key], rest, wrong);
  if (!Array.isArray(value)) return { ...(value as object), [key]: inner };
  return value.map((each, index) => (String(index) === key ? inner : each));
}

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value;

/** A session after a compaction, with work to tell of. */
function newSession(): Host {
  const host = newHost();
  host.append(request('Build the parser. Never touch gen/.'), answer(30_000, { id: 'a' }));
  host.fire('SessionStart', { source: 'startup' });
  host.fire('UserPromptSubmit', { prompt: 'x' });
  host.append(answer(120_000, { id: 'b' }));
  host.fire('PostToolBatch', { tool_calls: [] });
  host.fire('PreCompact', compact);
  host.append(boundary('auto', 167_000), summary());
  host.fire('SessionStart', { source: 'compact' });
  host.append(answer(40_000, { id: 'c' }), request('Now the lexer'), answer(120_000, { id: 'd' }));
  host.fire('Stop', { last_assistant_message: 'ok', stop_hook_active: false });
  return host;
}

/** What the next prompt and the next compaction say, without what differs from run to run. */
const wordsOf = (host: Host): string[] =>
  [
    host.fire('UserPromptSubmit', { prompt: 'go on' }).context,
    host.fire('PreCompact', compact).stdout,
    host.fire('SessionStart', { source: 'compact' }).context,
  ].map((text) => text.replace(/cx-\d+/g, 'cx').replace(/\d+ (?:s|min|h) ago|just now/g, 'ago'));

describe.each([
  ['state', `sessions/${SESSION}/state.json`],
  ['ledger', `sessions/${SESSION}/ledger.json`],
  ['settings', 'config.snapshot.json'],
])('the kept %s with a value of another type', (name, file) => {
  test('changes no word of what is said', () => {
    const host = newSession();
    const folders = ['project', 'home'].map((each) => path.join(host.root, each));
    for (const folder of folders)
      cpSync(folder, `${folder}-kept`, { recursive: true, preserveTimestamps: true });
    const restore = (): void => {
      for (const folder of folders) {
        rmSync(folder, { recursive: true });
        cpSync(`${folder}-kept`, folder, { recursive: true, preserveTimestamps: true });
      }
    };
    const value: unknown = JSON.parse(readFileSync(host.state(file), 'utf8'));
    const expected = wordsOf(host);
    expect(expected.every((text) => text.length > 100)).toBe(true);
    // Of settings the figures that usage is judged by; null may be what stands for nothing.
    const places = placesIn(value).filter((place) => name !== 'settings' || place[1] === 'assessment');
    const cases = places.flatMap((place) =>
      WRONG.map((wrong) => ({ place, wrong })).filter(({ wrong }) => {
        const right = valueAt(value, place);
        return right !== null && wrong !== null && typeOf(right) !== typeOf(wrong);
      }),
    );
    expect(cases.length).toBeGreaterThan(30);
    for (const { place, wrong } of some(cases, 60)) {
      if (place.at(-1) === 'schema_version') continue;
      restore();
      writeFileSync(host.state(file), JSON.stringify(withValue(value, place, wrong)));
      expect(wordsOf(host), `${place.join('.')} = ${JSON.stringify(wrong)}`).toEqual(expected);
    }
  });
});

test('a state and a ledger of other types are set aside, and doctor says so', () => {
  const host = newSession();
  for (const [name, field] of [
    ['state', 'epoch'],
    ['ledger', 'base'],
  ] as const) {
    const file = host.state('sessions', SESSION, `${name}.json`);
    const value = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    writeFileSync(file, JSON.stringify({ ...value, [field]: 'x' }));
  }
  host.fire('UserPromptSubmit', { prompt: 'go on' });
  host.fire('PreCompact', compact);
  const { stdout } = run(host, 'doctor');
  expect(stdout).toMatch(
    /state\.json\.unreadable[^\n]*ledger\.json\.unreadable[^\n]*was unreadable and set aside/,
  );
});
