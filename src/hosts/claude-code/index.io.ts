// Claude Code, whole: the one object through which the rest of the code knows it.
import type { Host } from '../host.ts';
import { claudeCodeHook } from './hook.io.ts';
import { listAgentTranscripts } from './install/files.io.ts';
import { HOOKS } from './names.ts';
import { parseRareEvent } from './rare-events.ts';
import { readAgentCall, readAgentEnd, readSession } from './replay/read-session.ts';
import { claudeRuns, findFailedCalls, readAgentSigns } from './tools/runs.ts';
import { readEntries, readLink } from './transcript/entries.ts';
import { readWindowMark } from './transcript/line.ts';
import { isLasting, saysNothing, skimEntry } from './transcript/skim.ts';
import { findOffsetAfter } from './transcript/timeline.io.ts';

export const claudeCode: Host = {
  ...claudeCodeHook,
  load: async () => claudeCode,
  loadRuns: async () => claudeRuns,
  atStart: HOOKS.atStart,
  parseRareEvent,
  readWindowMark,
  entries: { readEntries, readLink, skimEntry, isLasting, saysNothing },
  sessions: {
    readSession,
    readAgentCall,
    readAgentEnd,
    listAgentTranscripts,
  },
  agentSigns: readAgentSigns,
  failures: {
    tellsOf: (hook) => /^PostTool(?:Batch|UseFailure)$/.test(hook),
    marker: '"is_error":true',
    offsetAfter: findOffsetAfter,
    find: findFailedCalls,
  },
};
