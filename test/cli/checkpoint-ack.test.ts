// Tests that a person can acknowledge a checkpoint, and verify that all are as they were written.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Host, newHost, STATE } from '../hooks/host.ts';
import { answer, request } from '../unit/lines.ts';
import { converse, cx, file, json, twoCheckpoints } from './saved.ts';

describe('checkpoint ack', () => {
  const marked = (host: Host): string[] =>
    readdirSync(host.state('checkpoints')).filter((name) => name.endsWith('.acknowledged'));

  test('marks a checkpoint and the older ones of its session, once, and says what it did', () => {
    const host = twoCheckpoints();
    converse(host, [request('something else'), answer(20_000)], 'another');
    cx(host, 'create', '--session', 'another');
    const before = readFileSync(file(host, 'cx-002'), 'utf8');
    expect(cx(host, 'ack', 'cx-002').stdout).toBe(
      'Acknowledged: cx-001, cx-002 (cx-001: older, of the same session)\n',
    );
    expect(marked(host)).toHaveLength(2);
    expect(JSON.parse(readFileSync(`${file(host, 'cx-001')}.acknowledged`, 'utf8'))).toMatchObject({
      evidence: 'cli',
      by: 'cx-002',
    });
    expect(readFileSync(file(host, 'cx-002'), 'utf8')).toBe(before);
    expect(cx(host, 'ack', '1', '2').stdout).toBe('Acknowledged before: cx-001, cx-002\n');
    expect(json(cx(host, 'ack', '--all', '--json'))).toEqual({
      acknowledged: ['cx-003'],
      already: ['cx-001', 'cx-002'],
    });
    expect(marked(host)).toHaveLength(3);
  });

  test('marks older ones as told with the newest of those named', () => {
    const host = twoCheckpoints();
    cx(host, 'ack', '1', '2');
    expect(readFileSync(`${file(host, 'cx-001')}.acknowledged`, 'utf8')).toContain('"by":"cx-002"');
  });

  test('marks a damaged one too, by itself', () => {
    const host = twoCheckpoints();
    writeFileSync(file(host, 'cx-002'), 'torn');
    expect(cx(host, 'ack', '2').stdout).toBe('Acknowledged: cx-002\n');
  });

  test.each([
    [[], 'No checkpoint is named'],
    [['1', '--all'], 'Both checkpoints and --all are given'],
  ])('does not guess: %j', (args, words) => {
    const result = cx(newHost(), 'ack', ...args);
    expect(result.code).toBe(2);
    expect(result.stderr).toContain(`${words}\n  Next: `);
  });

  test('has nothing to do where there are none', () => {
    const result = cx(newHost(), 'ack', '--all');
    expect([result.code, result.stdout]).toEqual([0, 'No checkpoints yet: nothing to acknowledge.\n']);
  });
});

describe('checkpoint verify', () => {
  test('finds every checkpoint as it was written', () => {
    const host = twoCheckpoints();
    const result = cx(host, 'verify');
    expect(result).toEqual({
      code: 0,
      stderr: '',
      stdout: 'cx-001  ok           version 1.0.0\ncx-002  ok           version 1.0.0\n',
    });
  });

  test('names the one that is not, what is wrong and what to do; exit code 1', () => {
    const host = twoCheckpoints();
    writeFileSync(file(host, 'cx-001'), readFileSync(file(host, 'cx-001'), 'utf8').replace('lexer', 'mixer'));
    const result = cx(host, 'verify');
    expect(result.code).toBe(1);
    expect(result.stdout).toContain(
      `cx-001  damaged      ${STATE}/checkpoints/cx-001-checkpoint.json: Changed or damaged since it was written\ncx-002  ok `,
    );
    expect(result.stderr).toBe(
      'Of 2 checkpoints 1 cannot be used: cx-001\n  Next: the transcript still holds the work; plimsoll checkpoint create writes a new checkpoint\n',
    );
    expect(cx(host, 'verify', '2', 'cx-002').stdout.split('\n')).toHaveLength(2);
    expect(cx(host, 'verify', '2').code).toBe(0);
    expect(cx(host, 'verify', '1').code).toBe(1);
    const data = json<{ checkpoints: { id: string; state: string }[]; error: { next: string } }>(
      cx(host, 'verify', '--json'),
    );
    expect(data.checkpoints.map(({ id, state }) => [id, state])).toEqual([
      ['cx-001', 'damaged'],
      ['cx-002', 'ok'],
    ]);
    expect(data.error.next).toContain('plimsoll checkpoint create');
  });

  test('does not call one damaged that a newer version wrote', () => {
    const host = twoCheckpoints();
    writeFileSync(
      file(host, 'cx-002'),
      readFileSync(file(host, 'cx-002'), 'utf8').replace('"1.0.0"', '"2.0.0"'),
    );
    const result = cx(host, 'verify');
    expect(result.code).toBe(1);
    expect(result.stdout).toContain('cx-002  not checked');
    expect(result.stderr).toBe(
      'Of 2 checkpoints 1 of a newer version: cx-002\n  Next: update Plimsoll, and verify again\n',
    );
    expect(cx(host, 'show').stderr).toContain('Next: update Plimsoll');
  });
});
