// Tells what a shell command would change, by parsing it; a command of PowerShell is not parsed.
import type { Sight, ToolCall } from '../model/guardrails/call.ts';
import type { Changes } from '../model/guardrails/change.ts';
import { changesOfShell } from '../model/guardrails/shell/changes.ts';
import { readUnparsed } from '../model/guardrails/unparsed.ts';
import { parseShell } from './shell-parser.ts';

export const changesOfCommand = (command: string, call: ToolCall, sight: Sight): Changes =>
  call.tool === 'PowerShell'
    ? readUnparsed(command, call.tool)
    : changesOfShell(command, call, sight, parseShell);
