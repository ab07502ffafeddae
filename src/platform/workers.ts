// Runs tasks on threads of their own: each loads a bundle and calls one of its functions for every task.

import { parentPort, Worker, workerData } from 'node:worker_threads';

/** What a thread tells: how much it has done of a task, or what a task came to. */
type Told<R> = { done: number } | { task: number; result: R };

/** Memory of a thread for what lives shortly, in MB: with more, several threads hold hundreds. */
const YOUNG_MB = 24;

/**
 * Runs tasks on several threads and gives their results in the order of the tasks.
 *
 * @param given.bundle path of a CommonJS bundle, and the name of its function that calls `serveTasks`
 * @param given.data goes to every thread, copied
 * @param given.onProgress hears how much more of the work is done, in the unit of the tasks
 * @throws what a task throws; all threads have ended by then
 */
export async function runOnThreads<R>(
  tasks: readonly unknown[],
  given: { bundle: string; name: string; data: unknown; threads: number; onProgress: (done: number) => void },
): Promise<R[]> {
  const { bundle, name, data, threads, onProgress } = given;
  const results: R[] = [];
  const workers: Worker[] = [];
  let next = 0;
  const runOne = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = new Worker(`require(${JSON.stringify(bundle)})[${JSON.stringify(name)}]()`, {
        eval: true,
        workerData: data,
        resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
      });
      workers.push(worker);
      const give = (): void => {
        if (next < tasks.length) worker.postMessage({ task: next, input: tasks[next++] });
        else void worker.terminate().then(() => resolve());
      };
      worker.on('error', reject);
      worker.on('message', (told: Told<R>) => {
        if ('done' in told) return onProgress(told.done);
        results[told.task] = told.result;
        give();
      });
      give();
    });
  try {
    await Promise.all(Array.from({ length: Math.min(threads, tasks.length) }, runOne));
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
  return results;
}

/** On a thread: runs each task that comes, with the data that all of them share. */
export function serveTasks<T, D, R>(run: (input: T, data: D, onProgress: (done: number) => void) => R): void {
  const port = parentPort;
  port?.on('message', ({ task, input }: { task: number; input: T }) => {
    const result = run(input, workerData as D, (done) => port.postMessage({ done }));
    port.postMessage({ task, result });
  });
}
