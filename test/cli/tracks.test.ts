// Tests that commands begin tracks, activate them, show their progress and end them.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { GateResult } from '../../src/addons/tracks/commands/gates.io.ts';
import { type Host, MINE, newHost, SESSION } from '../hooks/host.ts';
import { READY, TRACK, UNREADY } from '../unit/tracks.ts';
import { run } from './healthy.ts';

const at = (host: Host, name: string): string => path.join(host.project, name);
const textOf = (host: Host, name: string): string => readFileSync(at(host, name), 'utf8');
const pointer = (host: Host): string => textOf(host, 'docs/tracks/ACTIVE_TRACK');
const json = <T = Record<string, unknown>>(host: Host, ...args: string[]): T =>
  JSON.parse(run(host, ...args, '--json').stdout) as T;

describe('track new', () => {
  test('begins a track that is active, holds no entries and does not pass until it is filled in', () => {
    const host = newHost();
    const { stdout, code } = run(host, 'track', 'new', 'cache', '--title', 'A cache\nfor answers');
    expect(code).toBe(0);
    expect(stdout).toMatch(/It is the active track now/);
    expect(pointer(host)).toBe('cache\n');
    expect(textOf(host, `${TRACK}/SPEC.md`)).toMatch(/^# Specification: A cache for answers\n/);
    for (const name of ['PLAN.md', 'RISKS.md', 'DECISIONS.md'])
      expect(textOf(host, `${TRACK}/${name}`)).toContain('<!--');
    const evaluated = run(host, 'track', 'lint', '--json');
    expect(evaluated.code).toBe(1);
    const { findings } = JSON.parse(evaluated.stdout) as { findings: { check: string; file: string }[] };
    expect([...new Set(findings.map(({ check }) => check))]).toEqual(['tasks', 'placeholders']);
    expect([...new Set(findings.map(({ file }) => path.basename(file)))].sort()).toEqual([
      'PLAN.md',
      'SPEC.md',
    ]);
  });

  test('leaves the active track as it is, and files that are there', () => {
    const host = newHost({ files: { ...READY, 'docs/tracks/net/PLAN.md': 'mine\n' } });
    expect(json(host, 'track', 'new', 'net')).toMatchObject({
      activated: false,
      kept: ['docs/tracks/net/PLAN.md'],
    });
    expect(textOf(host, 'docs/tracks/net/PLAN.md')).toBe('mine\n');
    expect(pointer(host)).toBe('cache\n');
    const again = run(host, 'track', 'new', 'net');
    expect(again.code).toBe(1);
    expect(again.stderr).toMatch(/is there already.*\n {2}Next: plimsoll track activate net/);
  });

  test.each(['../x', 'a/b', '.hidden', 'con', ''])('refuses %j as an id', (id) => {
    const host = newHost();
    const { code, stderr } = run(host, 'track', 'new', id);
    expect(code).toBe(2);
    expect(stderr).toMatch(/is no id of a track\n {2}Next: letters, digits/);
    expect(existsSync(at(host, 'docs'))).toBe(false);
  });
});

describe('track activate', () => {
  test('points the project to a track, and says where another one counts', () => {
    const host = newHost({ files: { ...READY, 'docs/tracks/net/SPEC.md': '' } });
    expect(run(host, 'track', 'activate', 'net').stdout).toBe('The active track is net.\n');
    expect(pointer(host)).toBe('net\n');
    host.env.PLIMSOLL_TRACK = 'cache';
    expect(run(host, 'track', 'activate', 'net').stdout).toMatch(
      /Here it is not used: cache counts, by PLIMSOLL_TRACK/,
    );
  });

  test('pins a track to one session, which finds it in its shell', () => {
    const host = newHost({ files: { ...READY, 'docs/tracks/net/SPEC.md': '' } });
    run(host, 'track', 'activate', 'net', '--session', SESSION);
    expect(json(host, 'track', 'list')).toMatchObject({ active: { track: 'cache', from: 'pointer' } });
    host.env.CLAUDE_CODE_SESSION_ID = SESSION;
    expect(json(host, 'track', 'list')).toMatchObject({ active: { track: 'net', from: 'session' } });
    host.env.CLAUDE_CODE_SESSION_ID = 'another';
    expect(json(host, 'track', 'list')).toMatchObject({ active: { track: 'cache', from: 'pointer' } });
  });

  test('refuses a track that is not there', () => {
    const { code, stderr } = run(newHost({ files: READY }), 'track', 'activate', 'gone');
    expect(code).toBe(1);
    expect(stderr).toMatch(/There is no track "gone"\n {2}Next: plimsoll track new gone/);
  });
});

describe('track close', () => {
  test('marks the track in its folder; nothing points to it afterwards', () => {
    const host = newHost({ files: READY });
    run(host, 'track', 'activate', 'cache', '--session', SESSION);
    const { stdout } = run(host, 'track', 'close', 'cache', '--reason', 'released');
    expect(stdout).toMatch(/It was the active track.*\nOne session was pinned to it/);
    expect(pointer(host)).toBe('');
    expect(textOf(host, `${TRACK}/CLOSED`)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ released\n$/);
    expect(existsSync(host.state('sessions', SESSION, 'track'))).toBe(false);
    expect(json(host, 'track', 'list')).toMatchObject({
      active: { track: null, fault: null },
      tracks: [{ id: 'cache', status: 'closed', done: 1 }],
    });
    expect(run(host, 'track', 'activate', 'cache').stderr).toMatch(/is closed\n {2}Next: .*--reopen/);
    expect(run(host, 'track', 'activate', 'cache', '--reopen').stdout).toMatch(
      /It was closed, and is open again/,
    );
    expect(json(host, 'track', 'show')).toMatchObject({ id: 'cache', status: 'under way', active: true });
  });

  test('of another track leaves the active one alone', () => {
    const host = newHost({ files: { ...READY, 'docs/tracks/net/SPEC.md': '' } });
    expect(json(host, 'track', 'close', 'net')).toMatchObject({ closed: true, was_active: false });
    expect(pointer(host)).toBe('cache\n');
  });
});

describe('track list and status', () => {
  test('take how far a track is from the boxes of its plan', () => {
    const host = newHost({ files: UNREADY });
    expect(run(host, 'track', 'list').stdout).toBe('*  cache  under way  1 of 2  A cache\n');
    expect(run(host, 'track', 'show').stdout).toMatch(
      /tasks +1 of 2 done, 0 under way, 0 blocked\n.*evaluator +1 finding/s,
    );
  });

  test('say what is wrong with the pointer', () => {
    const host = newHost({ files: { ...READY, 'docs/tracks/ACTIVE_TRACK': '../../etc\n' } });
    expect(run(host, 'track', 'list').stdout).toMatch(
      /ACTIVE_TRACK holds "\.\.\/\.\.\/etc", which is no id of a track/,
    );
    const { code, stderr } = run(host, 'track', 'show');
    expect(code).toBe(1);
    expect(stderr).toMatch(/which is no id/);
  });

  test('say so where there are none', () => {
    expect(run(newHost(), 'track', 'list').stdout).toMatch(/No tracks here/);
  });
});

describe('track lint', () => {
  test('passes a track that is ready', () => {
    const { code, stdout } = run(newHost({ files: READY }), 'track', 'lint');
    expect([code, stdout]).toEqual([0, 'Track cache passes: 7 checks, nothing found.\n']);
  });

  test('names file, line, check and the next step, and ends with 1', () => {
    const { code, stdout } = run(newHost({ files: UNREADY }), 'track', 'lint', 'cache');
    expect(code).toBe(1);
    expect(stdout).toBe(
      'Track cache does not pass: 1 finding.\n  docs/tracks/cache/PLAN.md:10: placeholder "TODO" (placeholders)\n    Next: write what is meant, or put it into code marks (`…`) where it is meant so\n',
    );
  });

  test.each<[string, string, number, object[]]>([
    ['that ends well', 'echo all good', 0, []],
    [
      'that finds something',
      "echo 'docs/x.md:3: too long'; echo and more >&2; exit 3",
      1,
      [
        { check: 'external', file: 'docs/x.md', line: 3, message: 'too long' },
        { check: 'external', file: null, line: null, message: 'and more' },
      ],
    ],
    [
      'that says nothing',
      'exit 4',
      1,
      [{ check: 'external', message: 'it ended with exit code 4 and said nothing' }],
    ],
    [
      'that is not there',
      'no-such-program',
      1,
      [{ check: 'external', message: expect.stringMatching(/not found/) }],
    ],
    ['that knows the track', 'test "$PLIMSOLL_TRACK" = cache && test -f docs/tracks/cache/SPEC.md', 0, []],
  ])('asks a command of the project %s', (_, command, code, findings) => {
    const host = newHost({
      files: { ...READY, [MINE]: `[tracks]\nevaluator = ${JSON.stringify(command)}\n` },
    });
    const result = run(host, 'track', 'lint', '--json');
    expect(result.code).toBe(code);
    expect((JSON.parse(result.stdout) as { findings: object[] }).findings).toMatchObject(findings);
  });

  test('says that no track is active', () => {
    const host = newHost({ files: READY });
    rmSync(at(host, 'docs/tracks/ACTIVE_TRACK'));
    const { code, stderr } = run(host, 'track', 'lint');
    expect(code).toBe(1);
    expect(stderr).toMatch(/No track is active here\n {2}Next: /);
  });
});

describe('the gate "evaluator" of track verify', () => {
  const gate = (host: Host) => {
    const { gates } = json<{ gates: GateResult[] }>(host, 'track', 'verify');
    return gates.find((each) => each.gate === 'evaluator');
  };

  test('holds where the hook would let work begin, also with findings elsewhere', () => {
    const host = newHost({
      files: { ...READY, [`${TRACK}/RISKS.md`]: '- Risk: Full\n  - Severity: high\n' },
    });
    expect(gate(host)).toMatchObject({
      state: 'held',
      notes: ['In other files of the track: 1 finding, see plimsoll track lint.'],
    });
    expect(run(host, 'track', 'lint').code).toBe(1);
  });

  test("fails with the findings, and with those of the project's own command", () => {
    const host = newHost({
      files: { ...UNREADY, [MINE]: '[tracks]\nevaluator = "echo no; exit 1"\n' },
    });
    const { state, checks = [] } = gate(host) ?? {};
    expect(state).toBe('failed');
    const failed = checks.filter(({ holds }) => !holds).map(({ says, found }) => `${says}: ${found}`);
    expect(failed.join('\n')).toMatch(
      /"placeholders" finds nothing: docs.*PLAN\.md:10: placeholder "TODO"; write[\s\S]*\nthe command of tracks\.evaluator finds nothing: no; see/,
    );
  });
});
