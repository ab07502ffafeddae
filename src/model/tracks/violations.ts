// Lists what keeps a compaction from taking up a file of a track, as the compaction itself finds it.
import { readBlock } from './block-entries.ts';
import { findBlocks } from './blocks.ts';
import type { Violation } from './entry.ts';
import { fromTaskFile, type InputFile } from './gather.ts';

/** By line. */
export function violationsIn(track: string, file: InputFile): Violation[] {
  const { blocks, violations } = findBlocks(file.path, file.text);
  return [
    ...violations,
    ...fromTaskFile(track, file).violations,
    ...blocks.flatMap((block) => readBlock(file.path, block).violations),
  ].sort((a, b) => a.line - b.line);
}
