// Checks that SPEC and PLAN use the same names: those that the SPEC lists, as code, in its section "Names".
import { codeIn, sectionsOf } from '../markdown.ts';
import type { Check, TrackFile } from './check.ts';

/** The sections of a SPEC that list what is built. */
const LISTS = /^(?:\d+[.)]?\s+)?(?:names?|components?|modules?|interfaces?|api)\b/i;

interface Name {
  name: string;
  line: number;
}

const codeNames = (lines: TrackFile['lines']): Name[] =>
  lines.flatMap(({ text, line }) => codeIn(text).map((code) => ({ name: called(code), line })));

/** Without the arguments of a call. */
const called = (code: string): string => code.replace(/\(.*/, '');

/** One word: no endpoint (`GET /users`), no option (`--json`). */
const isName = (code: string): boolean => /^[^\s/-]\S*$/.test(code);

/** `CacheReader`, `cache_reader` and `cache-reader` are one name in three spellings. */
const folded = (name: string): string => name.replace(/[\s_.-]+/g, '').toLowerCase();

/** `User` and `user`: a type, and what is of it. */
const unheaded = (name: string): string => name.slice(0, 1).toLowerCase() + name.slice(1);

const isSaid = (name: string, { lines }: TrackFile): boolean => lines.some(({ text }) => text.includes(name));

/**
 * Both ways, and only where the SPEC has such a list: every listed name comes in the PLAN, and neither file has one of
 * them in another spelling.
 */
export const checkNames: Check = ({ spec, plan }) => {
  if (!spec.isThere || !plan.isThere) return [];
  const sections = sectionsOf(spec.lines).filter(({ title }) => LISTS.test(title));
  // The first code of a list's item, of a heading or of a table's row names it; what comes after explains it.
  const listed = sections
    .flatMap(({ lines }) => lines)
    .filter(({ text }) => /^\s*(?:[-*+]|\d+[.)]|#{1,6}|\|)\s*[*_]*`/.test(text))
    .map(({ text, line }) => ({ name: called(codeIn(text)[0] ?? ''), line }))
    .filter(({ name }) => isName(name));
  const known = new Map(
    listed.filter(({ name }) => folded(name) !== '').map((each) => [folded(each.name), each]),
  );
  const names = new Set(listed.map(({ name }) => unheaded(name)));
  const unsaid = [...known.values()]
    .filter(({ name }) => !isSaid(name, plan))
    .map(({ name, line }) => ({
      file: spec.path,
      line,
      message: `\`${name}\` is named here and nowhere in ${plan.path}`,
      next: 'name it in the task that makes it, or take it out of the list',
    }));
  const others = [spec, plan].flatMap(({ path, lines }) =>
    codeNames(lines).flatMap(({ name, line }) => {
      const meant = known.get(folded(name));
      return meant === undefined || names.has(unheaded(name))
        ? []
        : [
            {
              file: path,
              line,
              message: `\`${name}\` is \`${meant.name}\` in ${spec.path}:${meant.line}`,
              next: 'use one spelling, or list both',
            },
          ];
    }),
  );
  return [...unsaid, ...others];
};
