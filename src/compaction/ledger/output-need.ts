// Decides how much of a call's result is read; for most calls it matters only that they succeeded.
import type { OutputNeed } from '../../hosts/entry.ts';
import { findChecks } from './commands.ts';
import type { OpenCall } from './ledger.ts';

export function outputNeed(call: OpenCall | undefined): OutputNeed {
  switch (call?.action.type) {
    case undefined:
    case 'read':
    case 'write':
    case 'search':
    case 'delegate':
    case 'other':
      return 'nothing';
    case 'run':
      return findChecks(call.action.command).length > 0 ? 'all' : 'end';
    default:
      return 'all';
  }
}
