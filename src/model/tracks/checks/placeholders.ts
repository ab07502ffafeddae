// Does something stand in SPEC or PLAN only until somebody writes it? Code is left out.
import { placeholdersIn } from '../placeholder.ts';
import type { Check } from './check.ts';

export const checkPlaceholders: Check = ({ spec, plan }) =>
  [spec, plan].flatMap(({ path, lines }) =>
    placeholdersIn(lines).map(({ found, line }) => ({
      file: path,
      line,
      message: `placeholder "${found}"`,
      next: 'write what is meant, or put it into code marks (`…`) where it is meant so',
    })),
  );
