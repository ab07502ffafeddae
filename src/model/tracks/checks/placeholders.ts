// Finds placeholders in SPEC and PLAN, such as TODO; code is left out.
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
