// Claude Code, whole: the one object through which the rest of the code knows it.
import type { Host } from '../host.ts';
import { claudeCodeHook } from './hook.io.ts';
import { parseRareEvent } from './rare-events.ts';
import { findFailedCalls } from './tools/failed-calls.ts';
import { agentSigns, claudeRuns } from './tools/runs.ts';
import { readEntries, readLink } from './transcript/entries.ts';
import { leanResult } from './transcript/lean-line.ts';
import { readWindowMark } from './transcript/line.ts';
import { offsetAfter } from './transcript/since.io.ts';
import { isLasting, skimEntry } from './transcript/skim.ts';

export const claudeCode: Host = {
  ...claudeCodeHook,
  load: async () => claudeCode,
  loadRuns: async () => claudeRuns,
  parseRareEvent,
  readWindowMark,
  entries: { readEntries, readLink, skimEntry, isLasting },
  agentSigns,
  failures: {
    tellsOf: (hook) => /^PostTool(?:Batch|UseFailure)$/.test(hook),
    marker: '"is_error":true',
    offsetAfter,
    skip: leanResult,
    find: findFailedCalls,
  },
};
