// Runs the steps of a task so that one that throws is left out and noted, while the others go on.

/** Notes what went wrong with a part that is left out. */
export interface Failing {
  fail: (part: string, error: unknown) => void;
}

/** Runs a step; when it throws, the step is left out and the failure noted. */
export function attempt<T>(call: Failing, part: string, step: () => T): T | null {
  try {
    return step();
  } catch (error) {
    call.fail(part, error);
    return null;
  }
}

/** The same where it is said elsewhere what went wrong, or nobody need know. */
export function orNull<T>(step: () => T): T | null {
  try {
    return step();
  } catch {
    return null;
  }
}

/** The same for a step that loads code when it is needed. */
export async function attemptAsync<T>(
  call: Failing,
  part: string,
  step: () => Promise<T>,
): Promise<T | null> {
  try {
    return await step();
  } catch (error) {
    call.fail(part, error);
    return null;
  }
}
