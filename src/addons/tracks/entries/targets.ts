// Maps each block to the file in which it stands.

import { taskFile } from '../layout.ts';
import type { BlockName } from './blocks.ts';

/** A file that holds a block of ours; `title` heads it where we have to make it. */
export interface TargetFile {
  path: string;
  name: BlockName;
  title: string;
}

export const INVARIANTS_FILE = 'docs/context/INVARIANTS.md';
export const CORE_FILE = 'docs/context/CONTEXT_CORE.md';

/** Homes of a track's blocks; invariants go to CONTEXT_CORE.md only where it may be written. */
export const listTargetFiles = (track: string, coreWrites: boolean): TargetFile[] => [
  { path: taskFile(track, 'PLAN.md'), name: 'plan', title: 'Plan' },
  { path: taskFile(track, 'RISKS.md'), name: 'risks', title: 'Risks' },
  { path: taskFile(track, 'DECISIONS.md'), name: 'decisions', title: 'Decisions' },
  { path: INVARIANTS_FILE, name: 'invariants', title: 'Invariants' },
  ...(coreWrites ? [{ path: CORE_FILE, name: 'invariants' as const, title: 'Context core' }] : []),
];
