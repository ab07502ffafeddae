// Tells for which values of an event a hook's matcher keeps it from running, read as the client reads matchers.

/** What decides at an event: where a session begins, what caused a compaction. */
const VALUES: Record<string, readonly string[]> = {
  SessionStart: ['startup', 'resume', 'clear', 'compact'],
  PreCompact: ['auto', 'manual'],
  PostToolUse: ['Bash', 'Read', 'Edit', 'Write'],
};

/**
 * What a hook is not run for, though it should be; none where the event knows no matcher.
 * Plain letters are whole names, separated by `|` or `,`; anything else is an expression, `*` and nothing are all.
 */
export function missedBy(event: string, matcher: string | undefined): string[] {
  const values = VALUES[event] ?? [];
  if (matcher === undefined || matcher === '' || matcher === '*') return [];
  if (/^[\w\s,|-]+$/.test(matcher)) {
    const names = matcher.split(/[|,]/).map((name) => name.trim());
    return values.filter((value) => !names.includes(value));
  }
  try {
    const expression = new RegExp(matcher);
    return values.filter((value) => !expression.test(value));
  } catch {
    return [...values];
  }
}
