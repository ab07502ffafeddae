// Checks that every entry follows the schema; what does not is refused by the compaction, too.
import { type Check, filesOf } from './check.ts';

export const checkSchema: Check = (texts) =>
  filesOf(texts).flatMap(({ violations }) =>
    violations.map(({ file, line, found, expected }) => ({
      file,
      line,
      message: found,
      next: `expected: ${expected}`,
    })),
  );
