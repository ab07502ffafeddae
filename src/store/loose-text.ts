// What does a file say that anybody may have written, or put something else in place of?
import { foreignText } from './foreign.ts';

/** Text of a file that may be anything; null where it is missing or cannot be read. */
export function looseText(path: string): string | null {
  try {
    return foreignText(path);
  } catch {
    return null;
  }
}
