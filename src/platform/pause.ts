// How does a short-lived process wait a moment without a timer?

/** Blocks this thread for some milliseconds. */
export const pause = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
};
