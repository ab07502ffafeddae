// Runs the steps of a task so that one that throws is left out and noted, while the others go on.

/** Notes what went wrong with a part that is left out. */
export interface FailureSink {
  onFailure: (part: string, error: unknown) => void;
}

/** Runs a step; when it throws, the step is left out and the failure noted. */
export function tryStep<T>(call: FailureSink, part: string, step: () => T): T | null {
  try {
    return step();
  } catch (error) {
    call.onFailure(part, error);
    return null;
  }
}

/** The same where it is said elsewhere what went wrong, or nobody need know. */
export function tryOrNull<T>(step: () => T): T | null {
  try {
    return step();
  } catch {
    return null;
  }
}

/** The same for a step that takes its time. */
export async function tryOrNullAsync<T>(step: () => Promise<T>): Promise<T | null> {
  try {
    return await step();
  } catch {
    return null;
  }
}

/** The same for a step that loads code when it is needed. */
export async function tryStepAsync<T>(
  call: FailureSink,
  part: string,
  step: () => Promise<T>,
): Promise<T | null> {
  try {
    return await step();
  } catch (error) {
    call.onFailure(part, error);
    return null;
  }
}
