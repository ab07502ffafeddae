// Reads a few plain fields of one YAML section off its lines; a section that is odd is read as a whole.
import type { SectionMarks } from '../../compaction/workflow/staleness.ts';
import type { Sensitivity } from '../../context/tier.ts';
import { type DataMap, isMap } from '../../text/json.ts';
import { parseCriticality, readRecoveryField, readScalarText } from './state/section.ts';
import { readOutline } from './yaml-lite.ts';
import { trimEnd, trimStart, withoutComment } from './yaml-lite-values.ts';

const NESTED = 'recovery_state';

/** A plain or quoted text on one line, null for none; undefined for what is odd: anchors, blocks, lists, escapes. */
function scalarOf(text: string): string | null | undefined {
  const quoted = /^(?:"([^"\\]*)"|'([^']*)')[ \t]*(?:[ \t]#.*)?$/.exec(text);
  if (quoted !== null) return (quoted[1] ?? quoted[2]) || null;
  const plain = withoutComment(text);
  if (/^(?:~|null|Null|NULL|true|True|TRUE|false|False|FALSE)?$/.test(plain)) return null;
  return /^(?:[&*!|>{["'@`%]|[-?](?:[ \t]|$))|: /.test(plain) ? undefined : plain;
}

type Found = Map<string, string | null | undefined>;

/** The fields of the one `section:` at the left edge; null where there are more, where tabs indent it, or where it is odd. */
function linesOf(source: string, section: string): { direct: Found; nested: Found } | null {
  const lines = source.replace(/^\uFEFF/, '').split(/\r?\n/);
  const head = new RegExp(`^${section}:[ \\t]*(?:[ \\t]#.*)?$`);
  const starts = lines.flatMap((line, at) => (head.test(line) ? [at] : []));
  const [start] = starts;
  if (start === undefined || starts.length > 1) return null;
  const direct: Found = new Map();
  const nested: Found = new Map();
  let base: number | null = null;
  let below: number | null = null; // indentation of what stands in recovery_state, once it is seen
  let isInRecovery = false;
  let last: { map: Found; name: string } | null = null;
  for (const line of lines.slice(start + 1)) {
    if (/^[ \t]*(?:#|$)/.test(line)) continue;
    if (/^ *\t/.test(line)) return null;
    const indent = line.length - trimStart(line).length;
    if (indent === 0) break;
    base ??= indent;
    if (indent === base) isInRecovery = false;
    else if (isInRecovery) below ??= indent;
    if (/["'{[&!*|>?]/.test(line[indent] ?? '')) return null;
    const [, name = '', value = ''] = /^ +(\w+):(?: +(.*))?$/.exec(trimEnd(line)) ?? [];
    const map = indent === base ? direct : isInRecovery && indent === below ? nested : null;
    if (map === null) {
      // Words that go on over a line are more than their first one.
      if (last !== null) last.map.set(last.name, undefined);
      continue;
    }
    if (map === direct && name === NESTED) {
      isInRecovery = /^(?:#|$)/.test(value);
      if (!isInRecovery && scalarOf(value) === undefined) return null;
      last = null;
    } else {
      map.set(name, scalarOf(value));
      last = { map, name };
    }
  }
  return { direct, nested };
}

/**
 * Values of a section, directly in it or in its `recovery_state`, which comes first as for whoever reads the whole file.
 * Where the lines do not tell them, because something about them is odd, the section is read as a whole. All null where
 * there is no such section.
 *
 * @param names which fields; a field that stands twice counts as it stands last
 */
export function readMarks<Name extends string>(
  source: string,
  section: string,
  names: readonly Name[],
): Record<Name, string | null> {
  const lines = linesOf(source, section);
  const found = lines === null ? null : new Map([...lines.direct, ...lines.nested]);
  const isPlain = found !== null && names.every((name) => !found.has(name) || found.get(name) !== undefined);
  const whole: DataMap = {};
  if (!isPlain && source.includes(section)) {
    const read = readOutline(source, [section])[section] ?? null;
    if (isMap(read)) Object.assign(whole, read);
  }
  return Object.fromEntries(
    names.map((name) => [
      name,
      isPlain ? (found.get(name) ?? null) : readScalarText(readRecoveryField(whole, name)),
    ]),
  ) as Record<Name, string | null>;
}

/** How much is at stake in the workflow, where its head or its section says so. */
export function readCriticality(source: string): Sensitivity | null {
  const [word] = ['resumption', 'workflow', 'header'].flatMap(
    (section) => readMarks(source, section, ['criticality']).criticality ?? [],
  );
  return parseCriticality(word);
}

const FIELDS = ['updated_at', 'last_checkpoint', 'current_phase'] as const;

/** The marks of the `resumption:` section; null where they are not there, or odd. */
export const readSectionMarks = (source: string): SectionMarks => readMarks(source, 'resumption', FIELDS);

/** The id of the workflow that the head of a file names; null where it is not there, or odd. */
export function readWorkflowId(source: string): string | null {
  const { workflow_id, id } = readMarks(source, 'header', ['workflow_id', 'id']);
  return readMarks(source, 'workflow', ['id']).id ?? workflow_id ?? id;
}
