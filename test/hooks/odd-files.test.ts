// Tests that hooks hold, whatever the files look like that they read and others write.
import path from 'node:path';
import { describe } from 'vitest';
import type { Host } from './host.ts';
import { byFifo, byFolder, hold, replaced, state } from './odd.ts';

const file = (name: string, by: (target: string) => void) => (host: Host) =>
  replaced(path.join(host.project, name), by);

describe('a file that hooks read and others write:', () => {
  hold([
    {
      name: 'ORCHESTRATION.yaml is a FIFO',
      make: file('ORCHESTRATION.yaml', byFifo),
      isFault: undefined,
      speaks: true,
    },
    {
      name: 'ORCHESTRATION.yaml is a folder',
      make: file('ORCHESTRATION.yaml', byFolder),
      isFault: undefined,
      speaks: true,
    },
    {
      name: 'the settings of the project are a FIFO',
      make: state('config.toml', byFifo),
      isFault: undefined,
      speaks: true,
    },
    {
      name: 'the settings of the client are a FIFO',
      make: file('.claude/settings.json', byFifo),
      isFault: undefined,
      speaks: true,
    },
    { name: 'the head of git is a FIFO', make: file('.git/HEAD', byFifo), isFault: undefined, speaks: true },
    { name: '.git is a FIFO', make: file('.git', byFifo), isFault: undefined, speaks: true },
  ]);
});
