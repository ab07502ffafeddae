// Blocks the thread for a moment, so that a short-lived process can wait without a timer.

/** Blocks this thread for some milliseconds. */
export const pause = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
};
