// Claude Code, whole: the one object through which the rest of the code knows it.
import type { Host } from '../host.ts';
import { claudeCodeHook } from './hook.io.ts';
import { parseRareEvent } from './rare-events.ts';
import { claudeRuns, findFailedCalls, readAgentSigns } from './tools/runs.ts';
import { readEntries, readLink } from './transcript/entries.ts';
import { readWindowMark } from './transcript/line.ts';
import { isLasting, readLeanResult, skimEntry } from './transcript/skim.ts';
import { findOffsetAfter } from './transcript/timeline.io.ts';

export const claudeCode: Host = {
  ...claudeCodeHook,
  load: async () => claudeCode,
  loadRuns: async () => claudeRuns,
  parseRareEvent,
  readWindowMark,
  entries: { readEntries, readLink, skimEntry, isLasting },
  agentSigns: readAgentSigns,
  failures: {
    tellsOf: (hook) => /^PostTool(?:Batch|UseFailure)$/.test(hook),
    marker: '"is_error":true',
    offsetAfter: findOffsetAfter,
    skip: readLeanResult,
    find: findFailedCalls,
  },
};
