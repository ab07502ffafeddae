// An attempt to get around the guardrails: a tool call in a guarded project, and the expected decision.

import type { VerdictDecision } from '../../../src/hosts/verdict.ts';
import type { GivenOptions } from '../../../src/settings/guardrail-options.ts';

/** How the project of an attempt is guarded. */
export const SETUPS = {
  /** The sources of the model may not be changed. */
  sources: { preset: 'standard', paths: { protected: ['src/model/**', '.git/hooks/**', '.git/config'] } },
  standard: { preset: 'standard' },
  /** Only docs/ and artifacts/ may be written. */
  tracks: { preset: 'tracks' },
} satisfies Record<string, GivenOptions>;

export interface Attempt {
  kind: string;
  setup: keyof typeof SETUPS;
  tool: string;
  /** `TOP` stands for the folder above the project. */
  input: Record<string, unknown>;
  /** Below the project's root. */
  cwd?: string;
  verdict: VerdictDecision;
}

/** Commands of one kind. */
export const at =
  (kind: string, setup: Attempt['setup'], verdict: VerdictDecision) =>
  (...commands: string[]): Attempt[] =>
    commands.map((command) => ({ kind, setup, tool: 'Bash', input: { command }, verdict }));

/** An edit of a file. */
export const edit = (
  kind: string,
  setup: Attempt['setup'],
  verdict: VerdictDecision,
  path: string,
  tool = 'Write',
  more: Record<string, unknown> = { content: 'x' },
): Attempt => ({
  kind,
  setup,
  tool,
  input: { [tool === 'NotebookEdit' ? 'notebook_path' : 'file_path']: path, ...more },
  verdict,
});

/** A call of a tool that a server brings. */
export const mcp = (
  setup: Attempt['setup'],
  verdict: VerdictDecision,
  name: string,
  input: Record<string, unknown>,
): Attempt => ({
  kind: 'tool of a server',
  setup,
  tool: `mcp__files__${name}`,
  input,
  verdict,
});

/** What `sources` protects. */
export const TIER = 'src/model/tier.ts';
