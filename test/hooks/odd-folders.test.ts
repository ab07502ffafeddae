// Tests that hooks hold, whatever the working folder and the state folder look like.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { plimsoll } from '../kit/plimsoll.ts';
import { answer } from '../unit/lines.ts';
import { temporaryFolder } from '../unit/temporary.ts';
import { COMPACTED, call, failuresOf, fallbackOf, measured, PROMPT } from './calls.ts';
import { type Host, SESSION, userState } from './host.ts';
import { byFifo, byFile, byFolder, byLoop, byNowhere, hold, replaced, state } from './odd.ts';

/** The hook runs in a folder that is removed before it starts. */
const inRemovedFolder = (host: Host): string[] => [
  'sh',
  '-c',
  'mkdir -p "$1" && cd "$1" && rmdir "$1" && shift && exec "$@"',
  'sh',
  path.join(host.root, 'gone'),
];

describe('a working folder that is', () => {
  hold([
    {
      name: 'gone',
      make: (host) => ({ fields: { cwd: path.join(host.project, 'gone') } }),
      isFault: false,
      speaks: true,
    },
    {
      name: 'gone under the very process',
      make: (host) => ({ fields: { cwd: path.join(host.root, 'gone') }, wrapper: inRemovedFolder(host) }),
      isFault: false,
      speaks: true,
    },
    {
      name: 'gone, with the project around it',
      make: (host) => {
        rmSync(host.project, { recursive: true });
        return { fields: { cwd: path.join(host.project, 'sub') }, wrapper: inRemovedFolder(host) };
      },
      isFault: false,
      speaks: true,
      isKeptWithUser: true,
    },
    {
      name: 'gone, and no project is named',
      make: (host) => ({
        fields: { cwd: '/gone/with/all' },
        env: { CLAUDE_PROJECT_DIR: undefined },
        wrapper: inRemovedFolder(host),
      }),
      isFault: false,
      speaks: true,
      isKeptWithUser: true,
    },
    { name: 'relative', make: () => ({ fields: { cwd: 'sub/folder' } }), isFault: false, speaks: true },
    {
      name: 'the root of the disk',
      make: () => ({ fields: { cwd: '/' }, env: { CLAUDE_PROJECT_DIR: undefined } }),
      isFault: false,
      speaks: true,
      isKeptWithUser: true,
    },
    {
      name: 'the home folder',
      make: (host) => ({ fields: { cwd: host.env.HOME }, env: { CLAUDE_PROJECT_DIR: undefined } }),
      isFault: false,
      speaks: true,
      isKeptWithUser: true,
    },
    {
      name: 'a file',
      make: (host) => {
        const file = path.join(host.project, 'file');
        writeFileSync(file, '');
        return { fields: { cwd: file } };
      },
      isFault: undefined,
      speaks: true,
    },
    {
      name: 'a path with a NUL byte',
      make: () => ({ fields: { cwd: '/tmp/a\u0000b' } }),
      isFault: undefined,
      speaks: true,
    },
  ]);
});
/** Mounts folders read-only for a command alone: root may write to everything else that only forbids it. */
const readOnly = (...folders: string[]): string[] => [
  'unshare',
  '-rm',
  'sh',
  '-c',
  'while [ "$1" != -- ]; do mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" || exit 9; shift; done; shift; exec "$@"',
  'sh',
  ...folders,
  '--',
];

let mountFault: string | null | undefined;
function cannotMount(): string | null {
  if (mountFault !== undefined) return mountFault;
  const folder = temporaryFolder();
  const [program = '', ...args] = [
    ...readOnly(folder),
    'sh',
    '-c',
    '! touch "$0/written" 2>/dev/null',
    folder,
  ];
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  mountFault =
    status === 0 && !existsSync(path.join(folder, 'written')) ? null : `${error?.message ?? stderr}`.trim();
  return mountFault;
}
/** The session is known already, so that there is something of ours. */
const known = (host: Host): void => void call(host, PROMPT);

describe('a state folder', () => {
  hold([
    { name: 'that is a file', make: state('', byFile), isFault: false, speaks: true, isKeptWithUser: true },
    { name: 'that is a FIFO', make: state('', byFifo), isFault: false, speaks: true, isKeptWithUser: true },
    {
      name: 'that links nowhere',
      make: state('', byNowhere),
      isFault: false,
      speaks: true,
      isKeptWithUser: true,
    },
    {
      name: 'that links to itself',
      make: state('', byLoop),
      isFault: false,
      speaks: true,
      isKeptWithUser: true,
    },
    {
      name: 'whose sessions are a file',
      make: state('sessions', byFile),
      isFault: true,
      speaks: true,
    },
    {
      name: 'whose sessions link to themselves',
      make: state('sessions', byLoop),
      isFault: true,
      speaks: true,
    },
    {
      name: 'whose checkpoints are a file',
      make: state('checkpoints', byFile),
      isFault: undefined,
      speaks: true,
    },
    {
      name: 'whose claims are a file',
      make: state(`sessions/${SESSION}/claims`, byFile),
      isFault: undefined,
      speaks: true,
    },
    {
      name: 'whose snapshot of the settings is a folder',
      make: state('config.snapshot.json', byFolder),
      isFault: true,
      speaks: true,
    },
    {
      name: 'whose settings are a folder',
      make: state('config.local.toml', byFolder),
      isFault: true,
      speaks: true,
    },
    {
      name: 'whose failure log is a folder',
      make: state('failures.jsonl', byFolder),
      isFault: undefined,
      speaks: true,
    },
    {
      name: 'whose .gitignore is a folder',
      make: state('.gitignore', byFolder),
      // All is kept; that git sees it is what doctor says.
      isFault: false,
      speaks: true,
    },
    {
      name: 'on a read-only mount, where a session is known',
      make: (host) => {
        known(host);
        host.append(answer(31_000, { id: 'msg_2' }));
        return { wrapper: readOnly(host.state()) };
      },
      isFault: false,
      speaks: true,
      isKeptWithUser: true,
      missing: cannotMount,
    },
    {
      name: 'on a read-only mount, that is empty',
      make: (host) => {
        mkdirSync(host.state(), { recursive: true });
        return { wrapper: readOnly(host.state()) };
      },
      isFault: false,
      speaks: true,
      isKeptWithUser: true,
      missing: cannotMount,
    },
    {
      name: 'in a project on a read-only mount',
      make: (host) => ({ wrapper: readOnly(host.project) }),
      isFault: false,
      speaks: true,
      isKeptWithUser: true,
      missing: cannotMount,
    },
    {
      name: "on a read-only mount, and the user's too",
      make: (host) => ({ wrapper: readOnly(host.root) }),
      isFault: false,
      speaks: true,
      missing: cannotMount,
    },
    {
      name: "that is a file, and the user's too",
      make: (host) => {
        replaced(host.state(), byFile);
        replaced(userState(host), byFile);
        return undefined;
      },
      isFault: false,
      speaks: true,
    },
  ]);
});

test('over a compaction a session is handed what the user holds for a project that cannot', () => {
  const host = measured();
  replaced(host.state(), byFile);
  call(host, PROMPT);
  host.append(answer(160_000, { id: 'msg_2' }));
  host.fire('PreCompact', { trigger: 'auto', custom_instructions: null });
  const { context } = call(host, COMPACTED);
  expect(context).toContain('CHECKPOINT: cx-001-checkpoint.json');
  const shown = plimsoll({ env: host.env, projectDir: host.project }, 'checkpoint', 'show', 'cx-001');
  expect(shown).toMatchObject({ code: 0, stderr: '' });
  expect(shown.stdout).toContain(path.basename(fallbackOf(host) ?? '-'));
  expect(failuresOf(host)).toEqual([]);
});
