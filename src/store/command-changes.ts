// Tells what a shell command would change, by parsing it and applying the rules of Bash or PowerShell.
import type { Sight, ToolCall } from '../model/guardrails/call.ts';
import type { Changes } from '../model/guardrails/change.ts';
import { changesOfPowerShell } from '../model/guardrails/powershell.ts';
import { changesOfShell } from '../model/guardrails/shell/changes.ts';
import { parseShell } from './shell-parser.ts';

export const changesOfCommand = (command: string, call: ToolCall, sight: Sight): Changes =>
  call.tool === 'PowerShell'
    ? changesOfPowerShell(command, call)
    : changesOfShell(command, call, sight, parseShell);
