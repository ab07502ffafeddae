// What did the files of a track look like before any compaction? Without what stands in our blocks, and what was left.

import { applySpans } from '../spans.ts';
import { findBlocks } from './blocks.ts';
import type { InputFile } from './gather.ts';
import { trackCheckpoints } from './layout.ts';

/** The same files with empty blocks, and without latest.json and copies of the plan. */
export const emptied = (track: string, files: readonly InputFile[]): InputFile[] =>
  files
    .filter(({ path }) => !path.startsWith(`${trackCheckpoints(track)}/`))
    .map(({ path, text }) => ({
      path,
      text: applySpans(
        text,
        findBlocks(path, text).blocks.map(({ from, to }) => ({ from, to, text: '' })),
      ),
    }));
