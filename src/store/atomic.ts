// Makes the state folder of a project, with the list of what git must not see in it.
import { exists } from '../platform/look.ts';
import { FOREIGN, readTextOrNull } from '../platform/read.ts';
import { createFile, makeFolder } from '../platform/write.ts';
import { below } from './paths.ts';

/** What git must not see in a state folder: everything that holds conversation content, and this very list. */
const IGNORED = [
  '.gitignore',
  'config.local.toml',
  'config.snapshot.json',
  'checkpoints/',
  'conversations/',
  'claims/',
  'events/',
  'failures.jsonl',
  'failures.old.jsonl',
  'off',
  '*.tmp',
  '*.lock',
  '*.take',
];

const HEAD = '# written by plimsoll: state of conversations stays on this machine\n';
const CONTENT_FOLDERS = ['checkpoints', 'conversations', 'claims', 'events'];

/**
 * Makes a state folder, its `.gitignore` first. In a folder that has a list of its own, the folders with content get
 * one each.
 */
export function ensureStateFolder(folder: string): void {
  const ignore = below(folder, '.gitignore');
  if (exists(ignore)) {
    if (readTextOrNull(ignore, FOREIGN)?.startsWith(HEAD)) return;
    for (const name of CONTENT_FOLDERS) {
      const own = below(folder, `${name}/.gitignore`);
      if (!exists(own)) createFile(own, '*\n');
    }
    return;
  }
  makeFolder(folder);
  createFile(ignore, `${HEAD}${IGNORED.join('\n')}\n`);
}
