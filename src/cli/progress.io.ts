// Shows on a terminal how far a long command is, how fast it goes, and how long it takes yet.

import { formatThousands } from '../text/lines.ts';
import type { Output } from './output.io.ts';

const MB = 1024 * 1024;
/** Fewer bytes are done before anybody has read a bar. */
const FEW = 32 * MB;

export interface ProgressBar {
  /** @param bytes that were done since the last call */
  advance: (bytes: number) => void;
  stop: () => void;
}

/** Where nobody looks at a terminal nothing is shown. It goes to stderr: stdout holds the result alone. */
export async function showProgress(
  what: string,
  totalBytes: number,
  { isInteractive }: Pick<Output, 'isInteractive'>,
): Promise<ProgressBar> {
  if (totalBytes < FEW || !isInteractive() || !process.stderr.isTTY)
    return { advance: () => {}, stop: () => {} };
  const { progress } = await import('@clack/prompts');
  const bar = progress({ max: totalBytes, output: process.stderr });
  const startedAt = performance.now();
  let done = 0;
  bar.start(what);
  return {
    advance: (bytes) => {
      done += bytes;
      const perSecond = done / ((performance.now() - startedAt) / 1000);
      const left = Math.ceil((totalBytes - done) / perSecond);
      const of = `${formatThousands(Math.round(done / MB))} of ${formatThousands(Math.round(totalBytes / MB))} MB`;
      bar.advance(bytes, `${what}: ${of}, ${Math.round(perSecond / MB)} MB/s, ${left} s left`);
    },
    stop: () => bar.stop(what),
  };
}
