// Registers the guardrails: what judges tool calls before and after, their commands, and their check of files.
import type { FastContext } from '../../hook/snapshot.io.ts';
import type { Addon } from '../addon.ts';
import type { WorktreeSnapshot } from './worktree-snapshot.ts';

const readDiff = async (hook: FastContext) =>
  (await import('./hook/worktree-diff.io.ts')).readWorktreeDiff(hook);

export const guardrails: Addon = {
  isUsed: (settings) => settings['guardrails.mode'] !== 'off',
  beforeTool: async (hook, print) => (await import('./hook/guard.io.ts')).guard(hook, print),
  isDueAfterTool: async (hook) => (await readDiff(hook)) !== null,
  async actionsAt(moment, hook) {
    if (moment !== 'after-tool') return [];
    const diff = await readDiff(hook);
    if (diff === null) return [];
    return (await import('./hook/verdict-bundle.io.ts')).buildChangedFileActions(hook, diff);
  },
  applyEffect: async ({ data }, paths) =>
    (await import('./hook/take-snapshot.io.ts')).writeWorktreeSnapshot(paths, data as WorktreeSnapshot),
  loadForbidsWrite: async () => (await import('./commands/compute-verdict.io.ts')).forbidsWrite,
  loadCommands: async () => (await import('./commands/guard-commands.command.ts')).addGuardCommands,
  loadChecks: async () => [(await import('./commands/check-guardrails.io.ts')).guardrailsCheck],
};
