// Tests that failed calls are noted where the client reports only successful ones: late, dated right, once.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { DIST } from '../kit/plimsoll.ts';
import { answer, jsonl, type Line, request, toolResult, toolUse } from '../unit/lines.ts';
import { type Host, MINE, newHost, SESSION, STATE } from './host.ts';

const TRACK = { 'docs/tracks/ACTIVE_TRACK': 'cache\n', 'docs/tracks/cache/SPEC.md': '# Cache\n' };
const read = (host: Host, name = 'work_log.md'): string => {
  const file = path.join(host.project, 'artifacts', 'sessions', SESSION, name);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};
const lines = (host: Host): string[] =>
  read(host)
    .split('\n')
    .flatMap((line) => /^- \S+Z (.*)$/.exec(line)?.[1] ?? []);
const failures = (host: Host): string =>
  existsSync(host.state('failures.jsonl')) ? readFileSync(host.state('failures.jsonl'), 'utf8') : '';

/** In so many seconds from now: a session's calls come after its start. */
const soon = (seconds: number): string => new Date(Date.now() + seconds * 1_000).toISOString();
const bash = (command: string) => ({ command, description: 'a step' });
/** A call as the client writes it when it has failed, and no hook for PostToolUse is run. */
function failed(id: string, command: string, output = 'Exit code 2\nno rule', at = soon(1)): Line[] {
  return [
    toolUse(id, 'Bash', bash(command), { timestamp: at }),
    { ...toolResult(id, output, { isError: true, detail: `Error: ${output}` }), timestamp: at },
  ];
}
const passed = (host: Host, id: string, command: string): void => {
  host.append(
    toolUse(id, 'Bash', bash(command), { timestamp: soon(1) }),
    toolResult(id, 'done', { detail: { stdout: 'done' } }),
  );
  const call = { tool_name: 'Bash', tool_input: bash(command), tool_use_id: id };
  host.fire('PostToolUse', { ...call, tool_response: { stdout: 'done', stderr: '' } });
};

/** A session that has begun, with a first prompt. */
function begun(files: Record<string, string> = TRACK): Host {
  const host = newHost({ files });
  host.fire('SessionStart', { source: 'startup' });
  host.append(request('Go'));
  host.fire('UserPromptSubmit', { prompt: 'Go' });
  return host;
}
const end = (host: Host): void => {
  host.append(answer(50_000, { at: soon(1) }));
  expect(host.fire('Stop')).toMatchObject({ stdout: '', stderr: '', code: 0 });
};

/** The same hook in several processes at once. */
const together = (host: Host, times: number, event: string, fields: object) =>
  Promise.all(
    Array.from(
      { length: times },
      () =>
        new Promise<void>((resolve) => {
          const child = spawn(process.execPath, [path.join(DIST, 'hook.cjs'), event], {
            env: host.env,
            cwd: host.project,
          });
          child.on('close', () => resolve());
          const common = { session_id: SESSION, transcript_path: host.transcript, cwd: host.project };
          child.stdin.end(JSON.stringify({ ...common, hook_event_name: event, ...fields }));
        }),
    ),
  );

describe('a failed call of which no hook was told', () => {
  test('is noted at the end of the turn with its own time, with what failed in the tests', () => {
    const host = begun();
    const at = soon(1);
    const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
    host.append(
      ...failed('t1', `TOKEN=${secret} npm test`, `Exit code 1\nFAIL evicts ${secret}\n1 failed`, at),
    );
    passed(host, 't2', 'ls');
    end(host);
    expect(lines(host)).toEqual(['Bash `ls`: ok', 'Bash `TOKEN=[redacted] npm test`: failed (exit 1)']);
    expect(read(host)).toContain(`- ${at.slice(0, 19)}Z Bash \`TOKEN`);
    const output = read(host, 'test_output.txt');
    expect(output).toContain(
      `npm test\` at ${at.slice(0, 19)}Z: failed (exit 1)\n  Exit code 1\n  FAIL evicts [redacted]\n`,
    );
    expect(output).not.toContain(secret.slice(0, 20));
    expect(failures(host)).toBe('');
  });

  test('is noted before a compaction, and then no more', () => {
    const host = begun();
    host.append(...failed('t1', 'one'));
    host.fire('PreCompact', { trigger: 'auto' });
    expect(lines(host)).toEqual(['Bash `one`: failed (exit 2)']);
    // It came to nothing, and comes again.
    host.append(...failed('t2', 'two'));
    host.fire('PreCompact', { trigger: 'auto' });
    host.fire('PreCompact', { trigger: 'auto' });
    host.append(...failed('t3', 'three'));
    end(host);
    host.fire('Stop');
    host.fire('SessionEnd', { reason: 'other' });
    expect(lines(host)).toEqual(['one', 'two', 'three'].map((name) => `Bash \`${name}\`: failed (exit 2)`));
  });

  test.each<[string, object]>([
    ['Stop', {}],
    ['PreCompact', { trigger: 'auto' }],
    ['SessionEnd', { reason: 'other' }],
  ])('is noted once, however many processes run %s at once', async (event, fields) => {
    const host = begun();
    host.append(...failed('t1', 'one'), ...failed('t2', 'two'));
    await together(host, 6, event, fields);
    host.fire('Stop');
    expect(lines(host)).toEqual(['Bash `one`: failed (exit 2)', 'Bash `two`: failed (exit 2)']);
    expect(failures(host)).toBe('');
  });

  test('in a turn that was cut off is noted at the end of the next one, or of the session', () => {
    const cut = request([{ type: 'text', text: '[Request interrupted by user]' }]);
    const host = begun();
    host.append(...failed('t1', 'one'), cut, request('Go on'), ...failed('t2', 'two'));
    end(host);
    expect(lines(host)).toEqual(['Bash `one`: failed (exit 2)', 'Bash `two`: failed (exit 2)']);
    host.append(request('More'), ...failed('t3', 'three'), cut);
    host.fire('SessionEnd', { reason: 'other' });
    expect(lines(host)).toHaveLength(3);
    host.fire('SessionStart', { source: 'resume' });
    host.append(request('Anew'), ...failed('t4', 'four'));
    end(host);
    expect(lines(host)).toEqual(
      ['one', 'two', 'three', 'four'].map((name) => `Bash \`${name}\`: failed (exit 2)`),
    );
  });

  test.each([
    ['result', 1],
    ['call and result', 0],
  ])(
    'whose %s the client has written after the last hook of the turn is noted at the end of the next one, once',
    (_, late) => {
      const host = begun();
      const written = [...failed('t1', 'one'), ...failed('t2', 'late', 'Exit code 1', soon(-0.001))];
      host.append(...written.slice(0, 2 + late));
      expect(host.fire('Stop')).toMatchObject({ stdout: '', stderr: '', code: 0 });
      host.append(...written.slice(2 + late), answer(50_000, { at: soon(-0.001) }), request('More'));
      host.fire('UserPromptSubmit', { prompt: 'More' });
      end(host);
      host.fire('SessionEnd', { reason: 'other' });
      expect(lines(host)).toEqual(['Bash `one`: failed (exit 2)', 'Bash `late`: failed (exit 1)']);
      expect(failures(host)).toBe('');
    },
  );

  test('does not take the place of a later run of the same tests', () => {
    const host = begun();
    host.append(...failed('t1', 'npm test', 'Exit code 1\nFAIL', soon(-0.001)));
    passed(host, 't2', 'npm test');
    end(host);
    expect(lines(host)).toEqual(['Bash `npm test`: ok', 'Bash `npm test`: failed (exit 1)']);
    expect(read(host, 'test_output.txt')).toMatch(/^## `npm test` at \S+Z: ok\n {2}done\n\n$/);
  });

  test('further back than is read is left out, and what came after it is not', () => {
    const host = begun();
    const long = Array.from({ length: 9 }, () => request('x'.repeat(1024 * 1024)));
    host.append(...failed('t1', 'far'), ...long, ...failed('t2', 'near'));
    end(host);
    expect(lines(host)).toEqual(['Bash `near`: failed (exit 2)']);
    expect(failures(host)).toBe('');
  });
});

describe('nothing is noted', () => {
  const call = { tool_name: 'Bash', tool_input: bash('make'), tool_use_id: 't1' };
  test.each<[string, string, object]>([
    ['PostToolBatch', 'PostToolBatch', { tool_calls: [{ ...call, tool_response: 'Exit code 2\nno rule' }] }],
    ['PostToolUseFailure', 'PostToolUseFailure', { ...call, error: 'Exit code 2\nno rule' }],
  ])('a second time of a call that %s told of', (_, event, fields) => {
    const host = begun();
    host.append(...failed('t1', 'make', 'Exit code 2\nno rule', soon(-0.001)));
    host.fire(event, { ...fields });
    host.fire('PreCompact', { trigger: 'auto' });
    end(host);
    host.fire('SessionEnd', { reason: 'other' });
    expect(lines(host)).toEqual(['Bash `make`: failed (exit 2)']);
    // From here on no hook is told any more.
    host.append(request('More'), ...failed('t2', 'again'));
    end(host);
    expect(lines(host)).toEqual(['Bash `make`: failed (exit 2)', 'Bash `again`: failed (exit 2)']);
  });

  test.each<[string, Record<string, string>]>([
    ['without tracks', {}],
    ['without an active track', { 'docs/tracks/cache/SPEC.md': '' }],
    ['where tracks are off', { ...TRACK, [MINE]: '[tracks]\nenabled = "off"\n' }],
    ['where nothing is to be captured', { ...TRACK, '.plimsoll/config.toml': '[tracks]\ncapture = false\n' }],
    ['where all is off', { ...TRACK, [`${STATE}/off`]: '' }],
  ])('%s', (_, files) => {
    const host = begun(files);
    host.append(...failed('t1', 'make'));
    host.fire('PreCompact', { trigger: 'auto' });
    end(host);
    host.fire('SessionEnd', { reason: 'other' });
    expect(existsSync(path.join(host.project, 'artifacts', 'sessions'))).toBe(false);
    expect(failures(host)).toBe('');
  });

  test('where it cannot be remembered that it was: rather not at all than twice', () => {
    const host = begun();
    const newer = { schema_version: '99.0.0', session_id: SESSION };
    writeFileSync(host.state('sessions', SESSION, 'state.json'), JSON.stringify(newer));
    host.append(...failed('t1', 'make'));
    host.fire('PreCompact', { trigger: 'auto' });
    end(host);
    expect(lines(host)).toEqual([]);
  });

  test('of what was there before the conversation was seen', () => {
    const host = newHost({ files: TRACK });
    host.append(request('Long ago'), ...failed('t0', 'of another', 'Exit code 1', soon(-60)));
    host.fire('SessionStart', { source: 'fork' });
    host.append(request('Go'), ...failed('t1', 'own'));
    end(host);
    expect(lines(host)).toEqual(['Bash `own`: failed (exit 2)']);
  });

  test.each([
    ['the first', false],
    ['a later', true],
  ])('of %s turn in which everything was off', (_, isLater) => {
    const host = begun();
    if (isLater) end(host);
    writeFileSync(host.state('off'), '');
    host.append(request('Go on'), ...failed('t1', 'secretly'));
    end(host);
    rmSync(host.state('off'));
    host.append(request('On again'), ...failed('t2', 'openly'));
    end(host);
    expect(lines(host)).toEqual(['Bash `openly`: failed (exit 2)']);
  });
});

describe('a failed call of a subagent', () => {
  test('is noted with its name when it has finished, from its own transcript, once', () => {
    const host = begun();
    passed(host, 't1', 'ls');
    const wrote = path.join(host.root, 'agent-a1.jsonl');
    const own = [request('Look'), ...failed('t2', 'make'), answer(20_000)];
    writeFileSync(wrote, jsonl(own.map((line) => ({ ...line, isSidechain: true, agentId: 'a9717e4b877' }))));
    const fields = { agent_id: 'a9717e4b877', agent_type: 'Explore', agent_transcript_path: wrote };
    host.fire('SubagentStop', fields);
    host.fire('SubagentStop', { ...fields, stop_hook_active: true });
    end(host);
    expect(lines(host)).toEqual(['Bash `ls`: ok', 'Bash `make`: failed (exit 2) (agent Explore a9717e4b)']);
    expect(failures(host)).toBe('');
  });
});
