// Reads, adds and applies the decisions of a resumption section.
import { type Data, type DataMap, isMap, isSameData } from '../../../text/json.ts';
import { listBelow, readScalarText, readSection, refuseChange, SECTION, withSection } from './section.ts';

export interface ResumptionDecision {
  id: string;
  decision: string;
  applied: boolean;
  gate: string | null;
  iteration: number | null;
  affects_phases: (string | number)[];
  at: string | null;
}

/** Where decisions stand: both names are in use. */
const KEYS = ['decisions', 'decision_log'] as const;
type Key = (typeof KEYS)[number];

/** The first of several values that says something. */
const text = (...values: (Data | undefined)[]): string | null =>
  values.map(readScalarText).find((value) => value !== null) ?? null;

/** Older readers of YAML take these words for false, and so do those who write for them. */
const isNo = (value: Data | undefined): boolean =>
  value === false || (typeof value === 'string' && /^(?:false|no|n|off)$/i.test(value.trim()));

function entryOf(value: Data, id: string): ResumptionDecision | null {
  if (typeof value === 'string') {
    const named = /^([A-Za-z]+-\d+)\s*[:—–-]\s*(.+)$/s.exec(value);
    return {
      id: id || (named?.[1] ?? ''),
      decision: named?.[2] ?? value,
      applied: true,
      gate: null,
      iteration: null,
      affects_phases: [],
      at: null,
    };
  }
  if (!isMap(value)) return null;
  const decision = text(value.decision, value.summary);
  if (decision === null) return null;
  const phases = Array.isArray(value.affects_phases) ? value.affects_phases : [];
  return {
    id: text(value.id) ?? id,
    decision,
    applied: !isNo(value.applied),
    gate: text(value.gate),
    iteration: typeof value.iteration === 'number' ? value.iteration : null,
    affects_phases: phases.filter((each) => typeof each === 'string' || typeof each === 'number'),
    at: text(value.at, value.timestamp, value.date),
  };
}

interface Placed {
  entry: ResumptionDecision;
  key: Key;
  /** Position in a list, or key of a map. */
  where: number | string;
}

function placedIn(section: DataMap): Placed[] {
  return KEYS.flatMap((key) => {
    const value = section[key];
    const entries: [number | string, Data][] = Array.isArray(value)
      ? [...value.entries()]
      : isMap(value)
        ? Object.entries(value)
        : [];
    return entries.flatMap(([where, each]) => {
      const entry = entryOf(each, typeof where === 'string' ? where : '');
      return entry === null ? [] : [{ entry, key, where }];
    });
  });
}

/** All decisions of a section, in the order of the file. */
export const listDecisions = (section: DataMap): ResumptionDecision[] =>
  placedIn(section).map(({ entry }) => entry);

const numberOf = (id: string): number => Number(/^RD-(\d+)$/i.exec(id)?.[1] ?? 0);

export interface NewDecision {
  decision: string;
  at: string;
  phases: (string | number)[];
  gate?: string | undefined;
  iteration?: number | undefined;
  rationale?: string | undefined;
  applied?: boolean | undefined;
}

/** The section with one of its decisions changed; what is no map holds no fields to change. */
function withDecision(section: DataMap, { key, where }: Placed, by: (entry: DataMap) => DataMap): DataMap {
  const value = section[key] ?? null;
  const change = (each: Data): Data => (isMap(each) ? by(each) : each);
  if (Array.isArray(value))
    return { ...section, [key]: value.map((each, index) => (index === where ? change(each) : each)) };
  return isMap(value) ? { ...section, [key]: { ...value, [where]: change(value[where] ?? null) } } : section;
}

/** What is said of a decision that stands there already: more phases, why, that it is carried out. */
const grown =
  (made: NewDecision) =>
  (entry: DataMap): DataMap => {
    const phases = Array.isArray(entry.affects_phases) ? entry.affects_phases : [];
    const added = made.phases.filter((phase) => !phases.map(String).includes(String(phase)));
    return {
      ...entry,
      ...(added.length === 0 ? {} : { affects_phases: [...phases, ...added] }),
      ...(made.rationale === undefined ? {} : { rationale: made.rationale }),
      ...(made.applied ? { applied: true } : {}),
    };
  };

/** Adds a decision with the next free id; one that stands there word for word keeps its own, and gets what is new. */
export function addDecision(
  top: DataMap,
  { phases, ...given }: NewDecision,
): { top: DataMap; id: string; isNew: boolean } {
  const made = { ...given, phases: [...new Set(phases)] };
  const section = readSection(top);
  const there = placedIn(section);
  const same = there.find(({ entry }) => entry.decision.trim() === made.decision.trim() && entry.id !== '');
  if (same !== undefined) {
    const changed = withDecision(section, same, grown(made));
    return {
      top: isSameData(changed, section) ? top : withSection(top, changed),
      id: same.entry.id,
      isNew: false,
    };
  }
  const number = Math.max(0, ...there.map(({ entry }) => numberOf(entry.id))) + 1;
  const id = `RD-${String(number).padStart(3, '0')}`;
  const quality = isMap(section.quality_trajectory) ? section.quality_trajectory : {};
  const gate = made.gate ?? text(quality.current_gate);
  const isCurrent = gate !== null && gate === text(quality.current_gate);
  const iteration = made.iteration ?? (isCurrent ? (quality.current_gate_iteration ?? null) : null);
  const entry: DataMap = {
    at: made.at,
    ...(gate === null ? {} : { gate }),
    ...(iteration === null ? {} : { iteration }),
    decision: made.decision,
    ...(made.rationale === undefined ? {} : { rationale: made.rationale }),
    affects_phases: made.phases,
    applied: made.applied ?? false,
  };
  const key: Key =
    KEYS.find((each) => isMap(section[each]) || Array.isArray(section[each])) ??
    (section.decisions === undefined && Object.hasOwn(section, 'decision_log')
      ? 'decision_log'
      : 'decisions');
  const value = section[key] ?? [];
  const changed = isMap(value) ? { ...value, [id]: entry } : [...listBelow(section, [key]), { id, ...entry }];
  return { top: withSection(top, { ...section, [key]: changed }), id, isNew: true };
}

/** The decision that "RD-002", "rd-2" or "2" stands for. */
function findDecision(section: DataMap, given: string): Placed {
  const there = placedIn(section);
  const number = /^(?:RD-)?0*(\d+)$/i.exec(given)?.[1];
  const found =
    there.find(({ entry }) => entry.id.toLowerCase() === given.toLowerCase()) ??
    there.find(({ entry }) => number !== undefined && numberOf(entry.id) === Number(number));
  if (found !== undefined) return found;
  const ids = there.flatMap(({ entry }) => entry.id || []);
  throw refuseChange(
    `There is no decision "${given}"`,
    [SECTION],
    ids.length === 0 ? 'plimsoll state decision add TEXT makes one' : `one of ${ids.join(', ')}`,
  );
}

/** Marks a decision as applied. */
export function applyDecision(top: DataMap, given: string): { top: DataMap; decision: ResumptionDecision } {
  const section = readSection(top);
  const found = findDecision(section, given);
  return {
    top: withSection(
      top,
      withDecision(section, found, (entry) => ({ ...entry, applied: true })),
    ),
    decision: { ...found.entry, applied: true },
  };
}
