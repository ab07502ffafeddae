// Whatever the transcript, the working folder and the state folder are like, at whatever moment: exit 0 in time, one answer
// of the allowed form or none, nothing but ours on disk, and a line in the failure log where something is at fault.
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { notRun } from '../kit/not-run.ts';
import { answer, jsonl, request } from '../unit/lines.ts';
import {
  call,
  expectAllowed,
  failuresOf,
  MOMENTS,
  type Moment,
  measured,
  type Odd,
  othersOf,
} from './calls.ts';
import type { Host } from './host.ts';

const PROMPT = MOMENTS[0] as Moment;

interface Case {
  name: string;
  /** Makes it odd; what comes back is odd about the call. */
  make: (host: Host) => Odd | undefined;
  /** Whether the failure log gets a line; undefined where that is up to the moment. */
  isFault: boolean | undefined;
  /** Whether the fill is still told at a prompt. */
  speaks: boolean;
  /** Why this cannot be made here, or null. */
  missing?: () => string | null;
}

/** One test for every case and moment. */
function hold(cases: Case[]): void {
  describe.each(cases)('$name', ({ make, isFault, speaks, missing }) => {
    test.each(MOMENTS)('$name', (moment) => {
      const reason = missing?.() ?? null;
      if (reason !== null) return notRun('hooks on a read-only mount', reason);
      const host = measured();
      const odd = make(host);
      const before = othersOf(host);
      const result = call(host, moment, odd);
      expectAllowed(moment, result);
      if (moment === PROMPT && speaks) expect(result.context).toContain('CONTEXT STATUS: NOMINAL');
      if (moment === PROMPT && !speaks) expect(result.context).toBe('');
      if (moment.fields.source === 'compact') expect(result.context).toContain('<compaction-alert>');
      expect(othersOf(host)).toEqual(before);
      if (isFault === false) expect(failuresOf(host)).toEqual([]);
      // The end of a subagent looks at neither the transcript nor anything else, unless a project asks for it.
      if (isFault === true && moment.event !== 'SubagentStop') expect(failuresOf(host)).not.toEqual([]);
      for (const each of failuresOf(host)) expect(each.hook).toBe(moment.event);
    });
  });
}

/** Files that every moment may share, for nothing writes to them. */
let shared = '';
const largeFile = (name: string): string => path.join(shared, name);
const KNOWN = jsonl([request('go'), answer(30_000)]);

beforeAll(() => {
  shared = mkdtempSync(path.join(realpathSync(tmpdir()), 'plh-large-'));
  const sparse = (name: string, ...texts: [number, string][]): void => {
    const descriptor = openSync(largeFile(name), 'w');
    ftruncateSync(descriptor, 1024 ** 3);
    for (const [at, text] of texts) writeSync(descriptor, text, at);
    closeSync(descriptor);
  };
  sparse('hole');
  sparse('hole-then-answer', [1024 ** 3, `\n${KNOWN}`]);
  const piece = 'x'.repeat(1024 * 1024);
  const long = `{"type":"user","message":{"role":"user","content":"${piece.repeat(100)}`;
  writeFileSync(largeFile('long-torn'), `${KNOWN}${long}`);
  writeFileSync(largeFile('long-whole'), `${KNOWN}${long}"}}\n`);
});
afterAll(() => rmSync(shared, { recursive: true, force: true }));

const replaced = (target: string, by: (target: string) => void): undefined => {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(path.dirname(target), { recursive: true });
  by(target);
};
const byFile = (target: string): void => writeFileSync(target, 'x');
const byFolder = (target: string): void => void mkdirSync(target);
const byFifo = (target: string): void => {
  expect(spawnSync('mkfifo', [target]).status).toBe(0);
};
const byLoop = (target: string): void => symlinkSync(target, target);
const byNowhere = (target: string): void => symlinkSync('/nowhere/at/all', target);
const transcript = (by: (target: string) => void) => (host: Host) => replaced(host.transcript, by);
const holds = (text: string | Buffer) => transcript((target) => writeFileSync(target, text));
const large = (name: string) => (): Odd => ({ fields: { transcript_path: largeFile(name) } });

describe('a transcript that is', () => {
  hold([
    {
      name: 'not there yet',
      make: (host) => rmSync(host.transcript) as undefined,
      isFault: false,
      speaks: false,
    },
    { name: 'a link to nowhere', make: transcript(byNowhere), isFault: false, speaks: false },
    { name: 'empty', make: holds(''), isFault: false, speaks: false },
    { name: 'a folder', make: transcript(byFolder), isFault: true, speaks: false },
    { name: 'a FIFO', make: transcript(byFifo), isFault: true, speaks: false },
    { name: 'a link to itself', make: transcript(byLoop), isFault: true, speaks: false },
    {
      name: 'a device without an end',
      make: () => ({ fields: { transcript_path: '/dev/zero' } }),
      isFault: true,
      speaks: false,
    },
    { name: 'a hole of 1 GB', make: large('hole'), isFault: false, speaks: false },
    {
      name: 'a hole of 1 GB before an answer',
      make: large('hole-then-answer'),
      isFault: false,
      speaks: true,
    },
    {
      name: 'lines around a block of NULs',
      make: holds(`\0\0${KNOWN}${'\0'.repeat(9_000)}`),
      isFault: false,
      speaks: true,
    },
    {
      name: 'lines glued to blocks of NULs',
      make: holds(KNOWN.split('\n').join(`\n${'\0'.repeat(4_096)}`)),
      isFault: false,
      speaks: true,
    },
    { name: '5 MB of NULs', make: holds(Buffer.alloc(5_000_000)), isFault: false, speaks: false },
    {
      name: 'binary',
      make: holds(Buffer.from(Array.from({ length: 9_999 }, (_, n) => (n * 7) % 256))),
      isFault: false,
      speaks: false,
    },
    {
      name: 'full of lines that are no objects',
      make: holds('7\n[]\nnull\n"a"\n{\n'.repeat(2_000)),
      isFault: false,
      speaks: false,
    },
    {
      name: 'nested 100,000 deep',
      make: holds(`${KNOWN}{"type":"assistant","usage":${'['.repeat(100_000)}${']'.repeat(100_000)}}\n`),
      isFault: false,
      speaks: true,
    },
    { name: 'ended by a torn line of 100 MB', make: large('long-torn'), isFault: false, speaks: false },
    { name: 'ended by a whole line of 100 MB', make: large('long-whole'), isFault: false, speaks: false },
    {
      name: 'ended by a line of 3 MB',
      make: (host) => appendFileSync(host.transcript, jsonl([request('x '.repeat(1_500_000))])) as undefined,
      isFault: false,
      speaks: true,
    },
  ]);
});

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
    },
    { name: 'relative', make: () => ({ fields: { cwd: 'sub/folder' } }), isFault: false, speaks: true },
    {
      name: 'the root of the disk',
      make: () => ({ fields: { cwd: '/' }, env: { CLAUDE_PROJECT_DIR: undefined } }),
      isFault: false,
      speaks: true,
    },
    {
      name: 'the home folder',
      make: (host) => ({ fields: { cwd: host.env.HOME }, env: { CLAUDE_PROJECT_DIR: undefined } }),
      isFault: false,
      speaks: true,
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
  const [program = '', ...args] = [
    ...readOnly(shared),
    'sh',
    '-c',
    '! touch "$0/written" 2>/dev/null',
    shared,
  ];
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  mountFault =
    status === 0 && !existsSync(path.join(shared, 'written')) ? null : `${error?.message ?? stderr}`.trim();
  return mountFault;
}

const state = (name: string, by: (target: string) => void) => (host: Host) => replaced(host.state(name), by);
const userState = (host: Host): string => path.join(host.env.XDG_STATE_HOME ?? '', 'plimsoll');
/** The conversation is known already, so that there is something of ours. */
const known = (host: Host): void => void call(host, PROMPT);

describe('a state folder', () => {
  hold([
    { name: 'that is a file', make: state('', byFile), isFault: true, speaks: true },
    { name: 'that is a FIFO', make: state('', byFifo), isFault: true, speaks: true },
    { name: 'that links nowhere', make: state('', byNowhere), isFault: true, speaks: true },
    { name: 'that links to itself', make: state('', byLoop), isFault: true, speaks: true },
    {
      name: 'whose conversations are a file',
      make: state('conversations', byFile),
      isFault: true,
      speaks: true,
    },
    {
      name: 'whose conversations link to themselves',
      make: state('conversations', byLoop),
      isFault: true,
      speaks: true,
    },
    {
      name: 'whose checkpoints are a file',
      make: state('checkpoints', byFile),
      isFault: undefined,
      speaks: true,
    },
    { name: 'whose claims are a file', make: state('claims', byFile), isFault: undefined, speaks: true },
    {
      name: 'whose snapshot of the settings is a folder',
      make: state('config.snapshot.json', byFolder),
      isFault: true,
      speaks: true,
    },
    {
      name: 'whose settings are a folder',
      make: state('config.toml', byFolder),
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
      isFault: true,
      speaks: true,
    },
    {
      name: 'on a read-only mount, where a conversation is known',
      make: (host) => {
        known(host);
        host.append(answer(31_000, { id: 'msg_2' }));
        return { wrapper: readOnly(host.state()) };
      },
      isFault: undefined,
      speaks: true,
      missing: cannotMount,
    },
    {
      name: 'on a read-only mount, that is empty',
      make: (host) => {
        mkdirSync(host.state());
        return { wrapper: readOnly(host.state()) };
      },
      isFault: true,
      speaks: true,
      missing: cannotMount,
    },
    {
      name: 'in a project on a read-only mount',
      make: (host) => ({ wrapper: readOnly(host.project) }),
      isFault: true,
      speaks: true,
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
