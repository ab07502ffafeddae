// Waits for something that another process does.
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export type WaitOptions = { timeoutMs?: number; everyMs?: number; what?: string };

/** Asks again and again until the answer is truthy, and returns that answer. */
export async function until<T>(
  ask: () => T | Promise<T>,
  { timeoutMs = 40_000, everyMs = 50, what = 'a condition' }: WaitOptions = {},
): Promise<NonNullable<T>> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs} ms in vain for ${what}`);
    await pause(everyMs);
  }
}
