// Finds the programs that a sandbox needs, and builds the PATH that it may see.
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Absolute path of the installed client, provided by test/client/setup.ts. */
    clientPath: string;
    /** Why there is no client, when it could not be installed. */
    clientFault: string;
    /** Absolute path of an old client, or '' when it could not be installed. */
    oldClientPath: string;
    /** The same of a client that has plugins, but no modules in them. */
    beforeModulesPath: string;
  }
}

export function clientPath(): string {
  const found = inject('clientPath');
  if (found) return found;
  const fault = inject('clientFault');
  throw new Error(
    fault
      ? `the client could not be installed: ${fault}`
      : 'no client: this test must run in the vitest project that has test/client/setup.ts',
  );
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The only thing taken from the caller's environment is where node and tmux lie. */
export function findProgram(name: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(path.isAbsolute);
  return folders.map((folder) => path.join(folder, name)).find(isProgram);
}

/** Node comes first, so that a hook's `node` is the one that runs the tests. The caller's PATH stays outside. */
export function sandboxPath(): string {
  const tmux = findProgram('tmux');
  const folders = [
    path.dirname(process.execPath),
    ...(tmux ? [path.dirname(tmux)] : []),
    '/usr/local/bin',
    '/usr/bin',
    '/bin',
  ];
  return [...new Set(folders)].join(path.delimiter);
}
