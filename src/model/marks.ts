// Which plain values stand in a section of a YAML file? Read off the lines: what is odd is not guessed at.

const NESTED = 'recovery_state';

/** A plain or quoted value on one line; null for anything else (anchors, blocks, lists, escapes, nothing). */
function scalarOf(text: string): string | null {
  const quoted = /^(?:"([^"\\]*)"|'([^']*)')\s*(?:\s#.*)?$/.exec(text);
  if (quoted !== null) return (quoted[1] ?? quoted[2]) || null;
  const plain = text.replace(/(?:^|\s+)#.*$/, '').trim();
  return /^(?:~|null|Null|NULL)?$/.test(plain) || /^(?:[&*!|>{["'@`%]|[-?](?:\s|$))|: /.test(plain)
    ? null
    : plain;
}

/**
 * Values of the one `section:` at the left edge, directly in it or in its `recovery_state`, which comes first as for
 * whoever reads the whole file. All null where there is no such section, or more than one, or one indented by tabs.
 *
 * @param names which fields; a field that stands twice counts as it stands last
 */
export function marksIn<Name extends string>(
  source: string,
  section: string,
  names: readonly Name[],
): Record<Name, string | null> {
  const nothing = Object.fromEntries(names.map((name) => [name, null])) as Record<Name, string | null>;
  const lines = source.replace(/^\uFEFF/, '').split(/\r?\n/);
  const head = new RegExp(`^${section}:\\s*(?:\\s#.*)?$`);
  const starts = lines.flatMap((line, at) => (head.test(line) ? [at] : []));
  const [start] = starts;
  if (start === undefined || starts.length > 1) return nothing;
  const direct = new Map<string, string | null>();
  const nested = new Map<string, string | null>();
  let base: number | null = null;
  let below: number | null = null; // indentation of what stands in recovery_state, once it is seen
  let isInRecovery = false;
  for (const line of lines.slice(start + 1)) {
    if (/^\s*(?:#|$)/.test(line)) continue;
    if (/^ *\t/.test(line)) return nothing;
    const indent = line.length - line.trimStart().length;
    if (indent === 0) break;
    base ??= indent;
    if (indent === base) isInRecovery = false;
    else if (isInRecovery) below ??= indent;
    const [, name = '', value = ''] = /^ +(\w+):(?: +(.*))?$/.exec(line.trimEnd()) ?? [];
    if (indent === base && name === NESTED) isInRecovery = /^(?:#|$)/.test(value);
    else if (indent === base) direct.set(name, scalarOf(value));
    else if (isInRecovery && indent === below) nested.set(name, scalarOf(value));
  }
  const found = new Map([...direct, ...nested]);
  return Object.fromEntries(names.map((name) => [name, found.get(name) ?? null])) as typeof nothing;
}
