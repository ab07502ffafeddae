// Scans of transcripts that Claude Code wrote.

import type { TranscriptScan } from '../../src/context/usage.ts';
import { claudeFacts } from '../../src/hosts/claude-code/transcript/line.ts';
import * as transcript from '../../src/hosts/scan-facts.io.ts';

type Options = Parameters<typeof transcript.scanTail>[2];

export const scanTail = (path: string, options?: Options): TranscriptScan | null =>
  transcript.scanTail(path, claudeFacts, options);
export const scanHead = (path: string, bytes?: number): ReturnType<typeof transcript.scanHead> =>
  transcript.scanHead(path, claudeFacts, bytes);
export const scanWhole = (path: string): TranscriptScan | null => transcript.scanWhole(path, claudeFacts);
