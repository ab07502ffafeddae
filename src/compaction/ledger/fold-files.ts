// Folds the files that are read and changed into the ledger, the last used last.
import { findFileChanges } from './commands.ts';
import type { FactEvidence, FileFact } from './ledger.ts';

export interface FileFacts {
  read: (path: string, evidence: FactEvidence) => void;
  write: (path: string, isNew: boolean, evidence: FactEvidence) => void;
  addCommand: (command: string, evidence: FactEvidence) => void;
  list: () => FileFact[];
}

/** A path that a command names from the folder it runs in, as a tool named it whole. */
function knownAs(files: ReadonlyMap<string, FileFact>, path: string): string {
  if (path.startsWith('/') || files.has(path)) return path;
  const bare = path.replace(/^\.\//, '');
  const ending = `/${bare}`;
  const whole = [...files.keys()].filter((each) => each === bare || each.endsWith(ending));
  return whole.length === 1 ? (whole[0] ?? bare) : bare;
}

const placeOf = ({ session, offset }: FactEvidence): FileFact['changed'] => ({ session, offset });

export function fileFacts(known: readonly FileFact[]): FileFacts {
  const files = new Map(known.map((file) => [file.path, file]));
  const touch = (
    path: string,
    evidence: FactEvidence,
    change: (file: FileFact) => Partial<FileFact>,
  ): void => {
    if (path === '') return;
    const file = files.get(path) ?? {
      path,
      reads: 0,
      writes: 0,
      made: false,
      deleted: false,
      changed: null,
      ...evidence,
    };
    files.delete(path);
    files.set(path, { ...file, ...evidence, ...change(file) });
  };
  return {
    read: (path, evidence) => touch(path, evidence, ({ reads }) => ({ reads: reads + 1 })),
    write: (path, isNew, evidence) =>
      touch(path, evidence, ({ writes, made }) => ({
        writes: writes + 1,
        made: made || isNew,
        deleted: false,
        changed: placeOf(evidence),
      })),
    addCommand: (command, evidence) => {
      for (const { path, how } of findFileChanges(command)) {
        const isDeleted = how === 'deleted';
        touch(knownAs(files, path), evidence, ({ writes }) => ({
          writes: writes + (isDeleted ? 0 : 1),
          deleted: isDeleted,
          changed: placeOf(evidence),
        }));
      }
    },
    list: () => [...files.values()],
  };
}
