// Tests that all other messages still arrive when one action throws or its file is corrupt.
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { some } from '../kit/effort.ts';
import { answer, boundary, request, summary } from '../unit/lines.ts';
import { type Host, MINE, newHost, SESSION, sessionFile, userState, writeMine } from './host.ts';

/** A session that was measured and that PreCompact made a checkpoint of; nothing of the alert said yet. */
function beforeCompaction(host: Host): void {
  host.append(request('write the lexer'), answer(95_000));
  host.fire('UserPromptSubmit', { prompt: 'x' });
  host.append(answer(160_000, { id: 'msg_2' }));
  host.fire('PreCompact', { trigger: 'auto', custom_instructions: null });
}

const checkpointFile = (host: Host): string => host.state('checkpoints', 'cx-001-checkpoint.json');

function replaceByFile(target: string): void {
  rmSync(target, { recursive: true, force: true });
  writeFileSync(target, 'x');
}

const transcriptFaults: [string, (host: Host) => void][] = [
  ['the transcript is gone', (host) => rmSync(host.transcript)],
];

const faults: [string, (host: Host) => void][] = [
  ['the session state is garbage', (host) => writeFileSync(sessionFile(host), '{"torn')],
  ['the session state is a list', (host) => writeFileSync(sessionFile(host), '[]')],
  [
    'the session state is from a newer version',
    (host) => {
      const state = JSON.parse(readFileSync(sessionFile(host), 'utf8')) as object;
      writeFileSync(sessionFile(host), JSON.stringify({ ...state, schema_version: '9.0.0' }));
    },
  ],
  ['the checkpoint is garbage', (host) => writeFileSync(checkpointFile(host), 'not json')],
  [
    'the checkpoint was changed',
    (host) =>
      writeFileSync(
        checkpointFile(host),
        readFileSync(checkpointFile(host), 'utf8').replace('lexer', 'l3x3r'),
      ),
  ],
  ['the settings snapshot is garbage', (host) => writeFileSync(host.state('config.snapshot.json'), '\0\0\0')],
  [
    'the configuration is broken TOML',
    (host) => writeFileSync(host.shared('config.toml'), 'context_monitor = [[['),
  ],
  [
    'the orchestration file is binary',
    (host) =>
      writeFileSync(path.join(host.project, 'ORCHESTRATION.yaml'), Buffer.from([0, 255, 254, 10, 9, 58])),
  ],
  [
    'the learned points are garbage',
    (host) => {
      mkdirSync(userState(host), { recursive: true });
      writeFileSync(path.join(userState(host), 'compaction-points.json'), '{{{');
    },
  ],
  ['git is broken', (host) => rmSync(path.join(host.project, '.git', 'HEAD'))],
  ['the claims folder is a file', (host) => replaceByFile(host.state('sessions', SESSION, 'claims'))],
  ['the checkpoints folder is a file', (host) => replaceByFile(host.state('checkpoints'))],
  ['the sessions folder is a file', (host) => replaceByFile(host.state('sessions'))],
  ['the state folder is a file', (host) => replaceByFile(host.state())],
  [
    'the state folder points nowhere',
    (host) => {
      rmSync(host.state(), { recursive: true, force: true });
      symlinkSync(path.join(host.root, 'nowhere', 'at-all'), host.state());
    },
  ],
  [
    'the transcript ends in NULs and a torn line',
    (host) => writeFileSync(host.transcript, '\0\0\0{"type":"assis', { flag: 'a' }),
  ],
];

describe('with one thing broken', () => {
  test.each(some([...faults, ...transcriptFaults], 5))(
    '%s: SessionStart(compact) still brings the alert',
    (_name, breakIt) => {
      const host = newHost();
      beforeCompaction(host);
      breakIt(host);
      const result = host.fire('SessionStart', { source: 'compact' });
      expect(result).toMatchObject({ code: 0, stderr: '' });
      expect(result.context).toMatch(/^<compaction-alert>\nCONTEXT COMPACTION OCCURRED/);
      expect(result.context).toMatch(/<\/compaction-alert>$/);
    },
  );

  test.each(some(faults, 5))(
    '%s: the prompt after the compaction brings alert and monitor',
    (_name, breakIt) => {
      const host = newHost();
      beforeCompaction(host);
      host.append(boundary(), summary());
      breakIt(host);
      const result = host.fire('UserPromptSubmit', { prompt: 'go on' });
      expect(result).toMatchObject({ code: 0, stderr: '' });
      expect(result.context).toContain('<compaction-alert>');
      expect(result.context).toContain('CONTEXT STATUS: ');
    },
  );

  test.each(some(faults, 5))('%s: a rise in the middle of a turn is said', (_name, breakIt) => {
    const host = newHost();
    beforeCompaction(host);
    host.append(answer(140_000, { id: 'msg_9' }));
    breakIt(host);
    const result = host.fire('PostToolBatch', { tool_calls: [] });
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(result.context).toContain('CONTEXT STATUS: CRITICAL');
  });

  test.each(some([...faults, ...transcriptFaults], 5))(
    '%s: PreCompact answers in its own form, in at most 1 KB',
    (_name, breakIt) => {
      const host = newHost();
      beforeCompaction(host);
      host.append(answer(161_000, { id: 'msg_3' }));
      breakIt(host);
      const result = host.fire('PreCompact', { trigger: 'manual', custom_instructions: 'keep names' });
      expect(result).toMatchObject({ code: 0, stderr: '' });
      expect(Buffer.byteLength(result.stdout)).toBeLessThanOrEqual(1024);
    },
  );
});

test('a corrupt checkpoint gives a generic alert that names the file and the resumption section', () => {
  const host = newHost();
  beforeCompaction(host);
  writeFileSync(checkpointFile(host), 'not json');
  const { context } = host.fire('SessionStart', { source: 'compact' });
  expect(context).toContain('CHECKPOINT: cx-001-checkpoint.json (could not be read)');
  expect(context).toContain('the resumption section of ORCHESTRATION.yaml');
});

test('state that is unreadable is set aside, never overwritten', () => {
  const host = newHost();
  beforeCompaction(host);
  writeFileSync(sessionFile(host), '{"torn');
  host.fire('SessionStart', { source: 'compact' });
  const names = readdirSync(host.state('sessions', SESSION)).filter((name) => name.startsWith('state'));
  expect(names.sort()).toEqual(['state.json', 'state.json.unreadable']);
  expect(readFileSync(`${sessionFile(host)}.unreadable`, 'utf8')).toBe('{"torn');
});

test('broken settings are reported in the failure log with file and line, and the other layers count', () => {
  const host = newHost({
    files: { [MINE]: '[context_monitor]\nemit = "sometimes"\nwindow_tokens = 400000\n' },
  });
  host.append(request('go'), answer(30_000));
  expect(host.fire('UserPromptSubmit', { prompt: 'x' }).context).toContain('of the 400,000 window');
  expect(readFileSync(host.state('failures.jsonl'), 'utf8')).toContain('context_monitor.emit');
  writeMine(host, '[context_monitor]\nwindow_tokens = \n');
  expect(host.fire('UserPromptSubmit', { prompt: 'x' }).context).toContain('of the 200,000 window');
  expect(readFileSync(host.state('failures.jsonl'), 'utf8')).toMatch(/config\.toml:2:\d+/);
});
