// Reads a point in time, and formats an age in words, such as "5 min ago".

// Parses a time as people give it: a date, a date with time, or an age such as "90m" or "30d".
const UNITS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

/**
 * Milliseconds since the epoch of "2026-11-01", "2026-11-01T12:00:00Z", "45s", "90m", "1.5h", "12h", "30d" or "4w" (ago); null for
 * anything else. A date without a time is its beginning in UTC, a time without a zone the machine's own.
 */
export function parseTime(text: string, now: number): number | null {
  const [, number, unit = ''] = /^(\d{1,6}(?:\.\d+)?)\s?([smhdw])$/i.exec(text.trim()) ?? [];
  if (number !== undefined) return now - Number(number) * (UNITS[unit.toLowerCase()] ?? 0);
  const [day] = /^\d{4}-\d{2}-\d{2}/.exec(text.trim()) ?? [];
  const time = day === undefined ? Number.NaN : Date.parse(text.trim());
  if (day === undefined || Number.isNaN(time)) return null;
  // 30 February would silently be another day.
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day) ? time : null;
}

/** Seconds as the largest unit that fits. */
export function formatAge(seconds: number): string {
  if (seconds < 90) return 'just now';
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min ago`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h ago`;
  return `${Math.round(seconds / 86_400)} days ago`;
}
