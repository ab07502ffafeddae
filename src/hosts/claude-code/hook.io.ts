// What every hook needs of Claude Code: small, because it is loaded at every event.
import type { HookHost } from '../host.ts';
import { readEnvironment } from './environment.io.ts';
import { formatReply, parseEvent } from './events.ts';
import { formatVerdict } from './guard.ts';
import { claudeLimits } from './limits.ts';
import { HOOK_NAMES, HOOKS } from './names.ts';
import { readToolCalls } from './tools/calls.ts';
import { claudeFacts } from './transcript/line.ts';

export const claudeCodeHook: Omit<HookHost, 'load' | 'loadRuns'> = {
  name: 'claude-code',
  hooks: HOOK_NAMES,
  beforeTool: HOOKS.beforeTool,
  parseEvent,
  formatReply,
  formatVerdict,
  readEnvironment,
  facts: claudeFacts,
  limits: claudeLimits,
  readToolCalls,
};
