// Returns the files of a track as before any compaction: empty blocks, no latest.json, no copies of the plan.

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
