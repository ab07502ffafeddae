import { expect, test } from 'vitest';
import { listMissed } from './registration-findings.ts';

const rows: [event: string, matcher: string | undefined, missed: string[]][] = [
  ['SessionStart', undefined, []],
  ['SessionStart', '', []],
  ['SessionStart', '*', []],
  ['SessionStart', 'compact', ['startup', 'resume', 'clear']],
  ['SessionStart', 'startup|resume, clear|compact', []],
  ['SessionStart', 'startup|resume', ['clear', 'compact']],
  ['SessionStart', '.*', []],
  ['SessionStart', 'st.*', ['resume', 'clear', 'compact']],
  ['SessionStart', '(', ['startup', 'resume', 'clear', 'compact']],
  ['PreCompact', 'auto', ['manual']],
  ['PostToolUse', 'Bash', ['Read', 'Edit', 'Write']],
  ['Stop', 'never', []],
];

test.each(rows)('%s with the matcher %j', (event, matcher, missed) => {
  expect(listMissed(event, matcher)).toEqual(missed);
});
