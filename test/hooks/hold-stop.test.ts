// Tests that the end of a turn is held once if CRITICAL was reached and the resumption section does not know it.
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { answer, boundary, request } from '../unit/lines.ts';
import { type Host, newHost } from './host.ts';

const file = (updated: string, status = 'ACTIVE'): string =>
  `workflow:\n  id: w\n  status: ${status}\nresumption:\n  current_phase: 2\n  updated_at: "${updated}"\n`;
const at = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();
const ON = { '.plimsoll/config.toml': '[orchestration]\nhold_stop = true\n' };

/** A session that has reached so many tokens of 167,000, at the end of a turn. */
function reached(
  tokens: number,
  files: Record<string, string> = { ...ON, 'ORCHESTRATION.yaml': file(at(-60)) },
): Host {
  const host = newHost({ files, env: { CLAUDE_CODE_ENTRYPOINT: 'cli' } });
  host.append(request('Go'), answer(30_000, { id: 'm1' }));
  host.fire('UserPromptSubmit');
  host.append(answer(tokens, { id: 'm2' }));
  host.fire('UserPromptSubmit');
  return host;
}
const stop = (host: Host, fields: Record<string, unknown> = {}): string =>
  host.fire('Stop', { stop_hook_active: false, last_assistant_message: 'Done.', ...fields }).stdout;
const CRITICAL = 140_000;
const HELD =
  /^\{"decision":"block","reason":"The context is at CRITICAL, and the resumption section of ORCHESTRATION\.yaml was updated \S+, before that: .*plimsoll state next.*asked once\."\}$/;

describe('the end of a turn', () => {
  test('is held once at CRITICAL, and not again in that segment', () => {
    const host = reached(CRITICAL);
    expect(stop(host)).toMatch(HELD);
    expect(stop(host)).toBe('');
    host.fire('UserPromptSubmit');
    expect(stop(host)).toBe('');
    expect(existsSync(host.state('failures.jsonl'))).toBe(false);
  });

  test('is held again after a compaction, when CRITICAL is reached anew', () => {
    const host = reached(CRITICAL);
    expect(stop(host)).toMatch(HELD);
    host.fire('PreCompact', { trigger: 'auto' });
    // At the usual point: one at this usage would show that the client compacts here, so that nothing may be held here.
    host.append(boundary('auto', 167_000));
    host.fire('SessionStart', { source: 'compact' });
    host.append(request('On'), answer(CRITICAL, { id: 'm3' }));
    host.fire('UserPromptSubmit');
    expect(stop(host)).toMatch(HELD);
  });

  test('is free once the section is current', () => {
    const host = reached(CRITICAL);
    writeFileSync(path.join(host.project, 'ORCHESTRATION.yaml'), file(at(1)));
    expect(stop(host)).toBe('');
  });

  test.each<[string, () => Host, Record<string, unknown>]>([
    ['below CRITICAL', () => reached(120_000), {}],
    ['that was held already', () => reached(CRITICAL), { stop_hook_active: true }],
    [
      'of a project that does not ask for it',
      () => reached(CRITICAL, { 'ORCHESTRATION.yaml': file(at(-60)) }),
      {},
    ],
    ['without a workflow', () => reached(CRITICAL, ON), {}],
    [
      'of a workflow that is done',
      () => reached(CRITICAL, { ...ON, 'ORCHESTRATION.yaml': file(at(-60), 'COMPLETE') }),
      {},
    ],
    [
      'of a headless run',
      () => {
        const host = reached(CRITICAL);
        host.env.CLAUDE_CODE_ENTRYPOINT = 'sdk-cli';
        return host;
      },
      {},
    ],
  ])('is free in a turn %s', (_, make, fields) => {
    expect(stop(make(), fields)).toBe('');
  });
});
