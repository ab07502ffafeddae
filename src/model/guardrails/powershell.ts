// What would a PowerShell command change on disk?
import type { ToolCall } from './call.ts';
import type { Changes } from './change.ts';

export function changesOfPowerShell(_command: string, _call: ToolCall): Changes {
  return { changes: [], commands: null, doubt: 'PowerShell is not read yet' };
}
