// Formats an age in words, such as "5 min ago".

/** Seconds as the largest unit that fits. */
export function formatAge(seconds: number): string {
  if (seconds < 90) return 'just now';
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min ago`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h ago`;
  return `${Math.round(seconds / 86_400)} days ago`;
}
