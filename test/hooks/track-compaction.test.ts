// Tests that the active track is compacted before the session is, and that a refusal is told.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  FILES,
  FOLDER,
  LOG,
  NOTES,
  outputsIn,
  read,
  run,
  trackHost,
  VIOLATION,
  write,
} from '../cli/tracks.ts';
import { answer, request } from '../unit/lines.ts';
import { type Host, MINE, newHost, SESSION } from './host.ts';

const LATEST = 'artifacts/checkpoints/cache/latest.json';
const WHERE = `${LOG}:10: found no Severity, expected "  - Severity: low | medium | high | critical" below it`;

const failures = (host: Host): string =>
  existsSync(host.state('failures.jsonl')) ? readFileSync(host.state('failures.jsonl'), 'utf8') : '';

function worked(host: Host): Host {
  // Below WARNING: a rise of the tier would bring the track up to date before.
  host.append(request('cache the answers'), answer(60_000));
  host.fire('SessionStart', { source: 'startup' });
  host.fire('UserPromptSubmit', { prompt: 'cache the answers' });
  return host;
}
const preCompact = (host: Host) => host.fire('PreCompact', { trigger: 'auto', custom_instructions: null });
const alertOf = (host: Host): string => host.fire('SessionStart', { source: 'compact' }).context;

test('PreCompact brings the files of the active track up to date, and says what it says anyway', () => {
  const host = worked(trackHost());
  const { code, context } = preCompact(host);
  expect([code, context]).toEqual([0, expect.stringContaining('cache the answers')]);
  expect(read(host, `${FOLDER}/PLAN.md`)).toMatch(/- \[ \] Task: \[T-[0-9a-f]{10}\] write the reader\r\n/);
  expect(read(host, `${FOLDER}/DECISIONS.md`)).toMatch(/- Decision: \[D-[0-9a-f]{10}\] Use one file\n/);
  expect(JSON.parse(read(host, LATEST))).toMatchObject({ track: 'cache', session: SESSION });
  expect(failures(host)).toBe('');
  expect(alertOf(host)).not.toContain('NOT COMPACTED');
});

test('a violation: PreCompact says what it says anyway, no file is touched, log and alert name file and line; fixed, it is over', () => {
  const host = worked(trackHost({ [LOG]: `${NOTES}${VIOLATION}` }));
  const before = outputsIn(host);
  const { code, context } = preCompact(host);
  expect([code, context]).toEqual([0, expect.stringContaining('cache the answers')]);
  expect(outputsIn(host)).toEqual(before);
  expect(readdirSync(host.state('checkpoints'))).toContain('cx-001-checkpoint.json');
  const logged = failures(host)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, string>);
  expect(logged).toEqual([
    expect.objectContaining({
      hook: 'PreCompact',
      part: 'track',
      error: `The track cache was not compacted: ${WHERE}`,
    }),
  ]);
  const lines = alertOf(host)
    .split('\n')
    .filter((line) => line.includes('NOT COMPACTED'));
  expect(lines).toEqual([
    `TRACK NOT COMPACTED: cache: ${WHERE.replace('  -', ' -')}. When that is fixed: plimsoll track sync`,
  ]);

  write(host, LOG, NOTES);
  host.append(request('go on'), answer(150_000));
  host.fire('UserPromptSubmit', { prompt: 'go on' });
  preCompact(host);
  expect(Object.keys(outputsIn(host)).length).toBeGreaterThan(Object.keys(before).length);
  expect(alertOf(host)).not.toContain('NOT COMPACTED');
});

test('what was refused of one track is not said while another one is worked on', () => {
  const host = worked(trackHost({ [LOG]: `${NOTES}${VIOLATION}`, 'docs/tracks/sound/SPEC.md': '# Spec\n' }));
  preCompact(host);
  write(host, 'docs/tracks/ACTIVE_TRACK', 'sound\n');
  expect(alertOf(host)).not.toContain('NOT COMPACTED');
});

test('another process that compacts, or a folder where a file should be: said, and everything else goes on', () => {
  const host = worked(trackHost());
  mkdirSync(path.join(host.project, LATEST), { recursive: true });
  const { code, context } = preCompact(host);
  expect([code, context]).toEqual([0, expect.stringContaining('cache the answers')]);
  expect(failures(host)).toContain('latest.json:1: found something that is no file');
  const locked = worked(trackHost());
  write(locked, 'artifacts/checkpoints/compaction.lock', `${process.pid} ${Date.now()} 0`);
  expect(preCompact(locked).code).toBe(0);
  expect(failures(locked)).toMatch(/The track cache was not compacted: Cannot lock/);
  expect(alertOf(locked)).toMatch(/TRACK NOT COMPACTED: cache: Cannot lock/);
});

test('without an active track, or switched off, nothing is written; a pointer that names no track is said in the log', () => {
  for (const files of [
    {},
    { ...FILES, 'docs/tracks/ACTIVE_TRACK': '' },
    { ...FILES, [MINE]: '[tracks]\nenabled = "off"\n' },
  ]) {
    const host = worked(newHost({ files }));
    expect(preCompact(host).code).toBe(0);
    expect(existsSync(path.join(host.project, 'artifacts/checkpoints'))).toBe(false);
    expect(failures(host)).toBe('');
  }
  const host = worked(trackHost({ 'docs/tracks/ACTIVE_TRACK': '../../etc\n' }));
  expect(preCompact(host).code).toBe(0);
  expect(failures(host)).toMatch(/which is no id of a track/);
});

test('checkpoint create compacts the track too, and writes the checkpoint where that is refused', () => {
  const host = worked(trackHost());
  const create = () => run(host, 'checkpoint', 'create', '--session', SESSION);
  expect(create()).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/\nTrack cache compacted\.\n$/),
    stderr: '',
  });
  expect(read(host, LATEST)).not.toBe('');
  writeFileSync(path.join(host.project, LOG), `${NOTES}${VIOLATION}`);
  expect(create()).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Checkpoint cx-\d+ written: .*\n.*written\.\n$/),
    stderr: `Without what could not be read or kept: track: The track cache was not compacted: ${WHERE}\n`,
  });
});
