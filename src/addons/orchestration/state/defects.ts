// Records open defects and recurring defect patterns in a resumption section.
import { type Data, type DataMap, isMap } from '../../../text/json.ts';
import { findGateName } from './gates.ts';
import { listBelow, mapBelow, readSection, refuseChange, SECTION, withSection } from './section.ts';

const FIELD = 'defect_summary';

/** What a section says of defects before there is one. */
export const EMPTY_DEFECTS: DataMap = {
  total_defects_found: 0,
  total_defects_resolved: 0,
  unresolved_defects: [],
  recurring_patterns: [],
  last_gate_primary_defect: null,
};

/** The same counts under the names that other files have for them. */
const FOUND = ['total_defects_found', 'total_defects'];
const RESOLVED = ['total_defects_resolved', 'resolved_defects'];

const open = (section: DataMap): DataMap =>
  (section[FIELD] ?? null) === null ? EMPTY_DEFECTS : mapBelow(section, FIELD);

/** Adds to a count, under the name that the file has for it. */
function counted(summary: DataMap, names: readonly string[], by: number): DataMap {
  const name = names.find((each) => typeof summary[each] === 'number') ?? names[0] ?? '';
  const count = summary[name];
  return { [name]: Math.max(0, (typeof count === 'number' ? count : 0) + by) };
}

/** Where open defects are counted as well as listed. */
const counting = (summary: DataMap, by: number): DataMap =>
  typeof summary.open_defects === 'number' ? counted(summary, ['open_defects'], by) : {};

/** An id, whether the entry is the id itself, begins with it, or is a map that holds it. */
export const findDefectId = (entry: Data): string =>
  isMap(entry) ? String(entry.id ?? '') : (/^[^\s:]+/.exec(String(entry))?.[0] ?? '');

const isDefect =
  (id: string) =>
  (entry: Data): boolean =>
    findDefectId(entry).toLowerCase() === id.toLowerCase();

/** A new open defect; its words are kept as the primary defect of the last gate. One that is open already is no news. */
export function addDefect(top: DataMap, id: string, words: string | null): { top: DataMap; isNew: boolean } {
  const section = readSection(top);
  const summary = open(section);
  const unresolved = listBelow(summary, [FIELD, 'unresolved_defects']);
  const isNew = !unresolved.some(isDefect(id));
  const changed = {
    ...summary,
    ...(isNew
      ? { ...counted(summary, FOUND, 1), ...counting(summary, 1), unresolved_defects: [...unresolved, id] }
      : {}),
    ...(words === null ? {} : { last_gate_primary_defect: `${id}: ${words}` }),
  };
  return { top: withSection(top, { ...section, [FIELD]: changed }), isNew };
}

/** A defect is done. */
export function resolveDefect(top: DataMap, id: string): { top: DataMap; left: string[] } {
  const section = readSection(top);
  const summary = open(section);
  const unresolved = listBelow(summary, [FIELD, 'unresolved_defects']);
  if (!unresolved.some(isDefect(id))) {
    throw refuseChange(
      `No defect "${id}" is open`,
      [SECTION, FIELD],
      unresolved.length === 0 ? 'none is open' : `open are ${unresolved.map(findDefectId).join(', ')}`,
    );
  }
  const left = unresolved.filter((each) => !isDefect(id)(each));
  const changed = {
    ...summary,
    ...counted(summary, RESOLVED, 1),
    ...counting(summary, -1),
    unresolved_defects: left,
  };
  return { top: withSection(top, { ...section, [FIELD]: changed }), left: left.map(findDefectId) };
}

/** A pattern of defects; one that is known gets the gates and the resolution that are new. */
export function addPattern(
  top: DataMap,
  { pattern, gates, resolution }: { pattern: string; gates: string[]; resolution?: string | undefined },
): { top: DataMap; isNew: boolean } {
  const section = readSection(top);
  const summary = open(section);
  const patterns = listBelow(summary, [FIELD, 'recurring_patterns']);
  const isSame = (each: Data): boolean => (isMap(each) ? each.pattern : each) === pattern;
  const grown = (each: Data): Data => {
    const old: DataMap = isMap(each) ? each : { pattern };
    const affected = Array.isArray(old.gates_affected) ? old.gates_affected : [];
    const known = affected.map((each) => findGateName(each)?.toLowerCase());
    const added = gates.filter(
      (gate, index) =>
        !known.includes(gate.toLowerCase()) &&
        gates.findIndex((each) => each.toLowerCase() === gate.toLowerCase()) === index,
    );
    if (!isMap(each) && added.length === 0 && resolution === undefined) return each;
    return {
      ...old,
      ...(added.length === 0 && old.gates_affected !== undefined
        ? {}
        : { gates_affected: [...affected, ...added] }),
      ...(resolution === undefined ? {} : { resolution }),
    };
  };
  const isNew = !patterns.some(isSame);
  const changed = {
    ...summary,
    recurring_patterns: isNew
      ? [...patterns, grown({ pattern })]
      : patterns.map((each) => (isSame(each) ? grown(each) : each)),
  };
  return { top: withSection(top, { ...section, [FIELD]: changed }), isNew };
}
