/** A file of src without tests, and what it imports. */
export interface Source {
  path: string;
  imports: { path: string; isType: boolean; isLazy: boolean }[];
}

/** The files of src, without tests. */
export function readSources(root: string): Source[];
