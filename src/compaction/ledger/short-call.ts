// A tool call in a few words: its path, its command, its pattern.
import type { ToolAction } from '../../hosts/entry.ts';
import { findKern } from './commands.ts';
import { buildExcerpt } from './excerpt.ts';

const CHARACTERS = 400;

function subjectOf(action: ToolAction): string {
  switch (action.type) {
    case 'read':
    case 'write':
      return action.path;
    case 'run':
      return findKern(action.command) || (action.description ?? '');
    case 'search':
      return action.pattern;
    case 'delegate':
      return action.description;
    case 'add-task':
      return action.task.subject;
    case 'other':
      return action.subject ?? '';
    default:
      return '';
  }
}

/** What a call is about, head and tail of it where it is long. */
export const shortCall = (action: ToolAction): string => buildExcerpt(subjectOf(action), CHARACTERS).text;
