// Helpers for tests on the real client: what the model heard of us, and when.
import { expect, onTestFinished } from 'vitest';
import type { Checkpoint } from '../../src/compaction/checkpoint/checkpoint.ts';
import { checkpoints, protectedSandbox } from '../kit/plimsoll.ts';
import { countIn, newText, ofKind, textOf } from '../kit/requests.ts';
import type { Sandbox, SandboxOptions } from '../kit/sandbox.ts';
import type { RecordedRequest } from '../kit/scripted-model.ts';

export const standard = ['--model', 'claude-sonnet-4-5'];
export const bash = (command: string) => ({ name: 'Bash', input: { command, description: 'a step' } });
/** With this window the client compacts at 117,000: WARNING from 81,900, CRITICAL from 93,600, EMERGENCY from 102,960. */
export const SMALL = { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '150000' };

export async function sandboxFor(options: SandboxOptions & { version?: string }): Promise<Sandbox> {
  const sandbox = await protectedSandbox(options);
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** The checkpoints written before the session ended; its end writes one more when there is work in it. */
export const whileRunning = (sandbox: Sandbox): Checkpoint[] =>
  checkpoints(sandbox).filter((each) => each.trigger.type !== 'session-end');

export const main = (sandbox: Sandbox): RecordedRequest[] => ofKind(sandbox.model.requests, 'main');

/** The first main request behind each compaction's summary request. */
export function afterCompactions(sandbox: Sandbox): RecordedRequest[] {
  const all = sandbox.model.requests;
  return ofKind(all, 'summary').flatMap(
    (summary) => all.find((each) => each.n > summary.n && each.kind === 'main') ?? [],
  );
}

export const statusLines = (request: RecordedRequest, before: RecordedRequest): string[] =>
  newText(request, before).match(/CONTEXT STATUS: [A-Z]+/g) ?? [];

/** The alert stands in the very next main request, once, and is never added a second time. */
export function expectAlertOnce(
  sandbox: Sandbox,
  at: RecordedRequest | undefined,
  checkpoint: string,
  event = 1,
): void {
  if (at === undefined) throw new Error('no main request after the compaction');
  expect(countIn(at, `COMPACTION EVENT: ${event} of ${event} this session`)).toBe(1);
  expect(countIn(at, `${checkpoint}-checkpoint.json`)).toBeGreaterThan(0);
  for (const later of main(sandbox).filter((each) => each.n > at.n)) {
    expect(countIn(later, `COMPACTION EVENT: ${event} of`)).toBeLessThanOrEqual(1);
  }
  for (const earlier of main(sandbox).filter((each) => each.n < at.n)) {
    expect(countIn(earlier, `COMPACTION EVENT: ${event} of`)).toBe(0);
  }
}

/** The newest alert that the model has read; '' for none. */
export const lastAlert = (sandbox: Sandbox): string =>
  main(sandbox)
    .flatMap(
      (request) =>
        textOf(request)
          .match(/<compaction-alert>[\s\S]*?<\/compaction-alert>/g)
          ?.at(-1) ?? [],
    )
    .at(-1) ?? '';

/** What each summariser was asked to keep. */
export const summariserFacts = (sandbox: Sandbox): string[] =>
  ofKind(sandbox.model.requests, 'summary').map(
    (request) => /Facts to keep word for word[\s\S]*?\n\n/.exec(`${textOf(request)}\n\n`)?.[0] ?? '',
  );
