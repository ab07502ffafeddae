// Tests that no default preset refuses everyday work, and that the shell analysis reads all of it.
import { createReadStream, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { findChanges } from '../../../src/addons/guardrails/find-changes.ts';
import type { GuardedCall } from '../../../src/addons/guardrails/guard-call.ts';
import type { GivenOptions } from '../../../src/settings/guardrail-options.ts';
import { notRun } from '../../kit/not-run.ts';
import { COMMANDS, EDITS } from './ordinary.ts';
import { CODE, HARMLESS, NAMING, READING } from './ordinary-code.ts';
import { world } from './world.ts';

const here = world();
afterAll(() => here.remove());

const PRESETS: GivenOptions[] = [
  { preset: 'standard' },
  { preset: 'none' },
  { preset: 'standard', strict: true },
];

describe('everyday work', () => {
  test('has more than 300 samples', () =>
    expect(COMMANDS.length + READING.length + HARMLESS.length + EDITS.length).toBeGreaterThan(340));

  test.each([...COMMANDS, ...CODE, ...READING, ...HARMLESS, ...NAMING])('passes: %s', (command) => {
    const call = here.call('Bash', { command });
    expect(findChanges(call, {}, here.sight).doubt).toBe(null);
    for (const preset of PRESETS) {
      const { decision, reason } = here.verdict(call, preset);
      expect(decision, String(reason)).toBe('abstain');
    }
  });

  test.each(EDITS)('passes: %s of %s', (tool, path) => {
    const input =
      tool === 'NotebookEdit' ? { notebook_path: path, new_source: '' } : { file_path: path, content: '' };
    for (const preset of PRESETS) {
      const { decision, reason } = here.verdict(here.call(tool, input), preset);
      expect(decision, String(reason)).toBe('abstain');
    }
  });
});

/** The tool calls of a transcript, with the folder in which each was made. */
async function callsIn(file: string): Promise<GuardedCall[]> {
  const calls: GuardedCall[] = [];
  for await (const line of createInterface({ input: createReadStream(file) })) {
    if (line.length > 2_000_000 || !line.includes('"tool_use"')) continue;
    let entry: { cwd?: string; message?: { content?: unknown } };
    try {
      entry = JSON.parse(line);
    } catch {
      continue;
    }
    const blocks = Array.isArray(entry.message?.content) ? entry.message.content : [];
    for (const block of blocks as { type?: string; name?: string; input?: Record<string, unknown> }[]) {
      if (block.type !== 'tool_use' || typeof block.input !== 'object' || block.input === null) continue;
      const cwd = entry.cwd ?? '/';
      calls.push({ tool: block.name ?? '', input: block.input, cwd, root: cwd, home: '/home/someone' });
    }
  }
  return calls;
}

describe('the calls of real transcripts', () => {
  const corpus = fileURLToPath(new URL('../../../../shared/corpus/', import.meta.url));

  // Their words are replaced, so that paths and programs mean nothing; their shapes are those of real work.
  test('are refused by no default preset, and read to their end', async (context) => {
    if (!existsSync(corpus)) {
      notRun(
        'the calls of real transcripts against the guardrails',
        'the transcripts are not beside this project',
      );
      context.skip();
      return;
    }
    const calls: GuardedCall[] = [];
    for (const name of readdirSync(corpus).filter((each) => each.endsWith('.jsonl'))) {
      calls.push(...(await callsIn(join(corpus, name))));
    }
    const changing = calls.filter((call) => /^(?:Bash|Edit|MultiEdit|Write|NotebookEdit)$/.test(call.tool));
    expect(changing.length).toBeGreaterThan(500);
    const doubts: string[] = [];
    for (const call of changing) {
      for (const preset of PRESETS.slice(0, 2)) {
        const { decision, reason } = here.verdict(call, preset);
        expect(decision, `${JSON.stringify(call.input).slice(0, 300)} ${reason}`).not.toBe('deny');
      }
      const { doubt } = findChanges(call, {}, here.sight);
      if (doubt !== null) doubts.push(`${doubt}: ${JSON.stringify(call.input).slice(0, 300)}`);
    }
    // Words that were replaced by `case`, `for`, `in` break the syntax of some.
    expect(doubts.length, doubts.join('\n')).toBeLessThan(changing.length / 10);
  });
});
