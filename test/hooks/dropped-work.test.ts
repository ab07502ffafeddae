// Tests that nobody is told of dropped work again: no later session, no alert of its own, no command.
import { copyFileSync, mkdirSync, readFileSync, renameSync, rmdirSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Ledger } from '../../src/compaction/ledger/ledger.ts';
import { fillFile } from '../../src/platform/folders.ts';
import { exists } from '../../src/platform/look.ts';
import { type CliResult, plimsoll } from '../kit/plimsoll.ts';
import { answer, boundary, type Line, request, summary, toolResult, toolUse } from '../unit/lines.ts';
import { failuresOf } from './calls.ts';
import { CONTEXT, end, POINTER, work } from './earlier.ts';
import { type Host, newHost } from './host.ts';
import { talk } from './talk.ts';

const run = (host: Host, ...args: string[]): CliResult =>
  plimsoll({ env: host.env, projectDir: host.project }, ...args);
const done = (host: Host, ...args: string[]): void => {
  const { code, stderr } = run(host, ...args);
  expect([args, code, stderr]).toEqual([args, 0, '']);
};
function ledgerOf(host: Host, id: string): string {
  const text = readFileSync(host.state('sessions', id, 'ledger.json'), 'utf8');
  return JSON.stringify((JSON.parse(text) as { ledger: Ledger }).ledger);
}
/** What a new session hears at its start and at its first prompt. */
function heard(host: Host, id: string): string {
  const each = talk(host, id);
  return each.fire('SessionStart', { source: 'startup' }).context + each.fire('UserPromptSubmit').context;
}

describe('the next session is told', () => {
  test.each<[string, string[]]>([
    ['by its id', ['session', 'abandon', 'session-a', '--reason', 'tried elsewhere']],
    ['by its place', ['handoff', 'dismiss']],
  ])('nothing of work that was dropped %s, nor is anybody by a command', async (_, args) => {
    const host = newHost();
    await end(work(host, 'session-a'));
    expect(run(host, 'handoff').stdout).toContain('Port the expression compiler');
    done(host, ...args);
    expect(heard(host, 'session-b')).not.toContain('resumption-context');
    expect(run(host, 'handoff').stderr).toMatch(/ to tell of\n {2}Next: plimsoll session list shows/);
    expect(run(host, 'handoff', '--preview').stdout).toMatch(/^The next session is told nothing/);
    expect(run(host, 'session', 'list').stdout).toMatch(/^session-a {2}dropped/m);
    expect(failuresOf(host)).toEqual([]);
  });

  test('one line of a finished session, and nothing of it once it is dropped', async () => {
    const host = newHost();
    await end(work(host, 'session-a', []));
    expect(heard(host, 'session-b')).toContain(POINTER);
    const noted = host.state('sessions', 'session-a', 'stop.json');
    fillFile(noted, '{}');
    done(host, 'session', 'abandon', 'session-a');
    expect(exists(noted)).toBe(false);
    expect(heard(host, 'session-c')).not.toContain('Port the expression compiler');
  });

  test('nothing of what the dropped session was handed before', async () => {
    const host = newHost();
    await end(work(host, 'session-a'));
    const b = talk(host, 'session-b');
    expect(b.fire('SessionStart', { source: 'startup' }).context).toContain(CONTEXT);
    b.fire('UserPromptSubmit');
    b.write(request('Go on'), answer(30_000));
    await end(b);
    done(host, 'session', 'abandon', 'session-b');
    expect(heard(host, 'session-c')).not.toContain('resumption-context');
    expect(run(host, 'handoff').stderr).toContain('There is no ended session');
  });

  test('what was asked in the session after the drop, and nothing of before', async () => {
    const host = newHost();
    const a = work(host, 'session-a');
    done(host, 'session', 'abandon', 'session-a');
    a.fire('UserPromptSubmit', { prompt: 'x' });
    a.write(
      request('Write the release notes'),
      toolUse('t3', 'Write', { file_path: `${host.project}/notes.md`, content: 'x' }),
      toolResult('t3'),
    );
    a.fire('PostToolUse', { tool_use_id: 't3' });
    await a.kill();
    const told = heard(host, 'session-b');
    expect(told).toContain('Write the release notes');
    expect(told).not.toMatch(/Port the expression compiler|Write the parser|lexer/);
  });
});

test('a session that was handed work goes on with its own alone, once that work is dropped', async () => {
  const host = newHost();
  await end(work(host, 'session-a'));
  const b = talk(host, 'session-b');
  b.fire('SessionStart', { source: 'startup' });
  b.fire('UserPromptSubmit');
  b.write(request('Write the release notes'), answer(100_000));
  b.fire('PreCompact', { trigger: 'manual', custom_instructions: null });
  expect(ledgerOf(host, 'session-b')).toContain('Port the expression compiler');
  done(host, 'session', 'abandon', 'session-a');
  expect(ledgerOf(host, 'session-b')).not.toContain('Port the expression compiler');
  const alert = b.fire('SessionStart', { source: 'compact' }).context;
  expect(alert).toContain('<compaction-alert>');
  expect(alert).toContain('Write the release notes');
  expect(alert).not.toMatch(/Port the expression compiler|Write the parser/);
});

/** A session that goes on with the work of the one before, and asks for something of its own. */
function goOn(host: Host, id: string, words: string) {
  const each = talk(host, id);
  expect(each.fire('SessionStart', { source: 'startup' }).context).toContain(CONTEXT);
  each.fire('UserPromptSubmit');
  each.write(
    request(words),
    toolUse('t5', 'TodoWrite', { todos: [{ content: words, status: 'pending', activeForm: words }] }),
    toolResult('t5'),
    answer(100_000, { id: `m-${id}` }),
  );
  each.fire('Stop', {});
  return each;
}

const OF_A = /Port the expression compiler|Write the parser|lexer/;

test('a session that was handed dropped work by the one between goes on without it as well', async () => {
  const host = newHost();
  await end(work(host, 'session-a'));
  await end(goOn(host, 'session-b', 'Write the release notes'));
  const c = goOn(host, 'session-c', 'Write the upgrade guide');
  expect(ledgerOf(host, 'session-c')).toMatch(OF_A);
  done(host, 'session', 'abandon', 'session-a');
  const { sessions } = JSON.parse(run(host, 'session', 'list', '--json').stdout) as {
    sessions: Record<string, string | null>[];
  };
  const links = sessions.map(({ id, continues, continued_in }) => [id, continues, continued_in]);
  expect(links.sort()).toEqual([
    ['session-a', null, null],
    ['session-b', null, 'session-c'],
    ['session-c', 'session-b', null],
  ]);
  c.write(answer(150_000, { id: 'm12' }));
  const facts = c.fire('PreCompact', { trigger: 'auto', custom_instructions: null }).stdout;
  const alert = c.fire('SessionStart', { source: 'compact' }).context;
  await end(c);
  for (const told of [facts, alert, run(host, 'handoff').stdout]) {
    expect(told).toContain('Write the release notes');
    expect(told).toContain('Write the upgrade guide');
    expect(told).not.toMatch(OF_A);
  }
  expect(failuresOf(host)).toEqual([]);
});

describe('a drop that fails half-way', () => {
  test.each(['session-a', 'session-b', 'session-c'])(
    'since the ledger of %s cannot be written is repeated as a whole',
    async (broken) => {
      const host = newHost();
      await end(work(host, 'session-a'));
      await end(goOn(host, 'session-b', 'Write the release notes'));
      await end(goOn(host, 'session-c', 'Write the upgrade guide'));
      const path = host.state('sessions', broken, 'ledger.json');
      renameSync(path, `${path}.aside`);
      mkdirSync(path);
      expect(run(host, 'session', 'abandon', 'session-a').code).toBe(1);
      rmdirSync(path);
      renameSync(`${path}.aside`, path);
      expect(run(host, 'session', 'list').stdout).toMatch(/^session-a {2}ended/m);
      done(host, 'session', 'abandon', 'session-a');
      expect(run(host, 'session', 'abandon', 'session-a').stderr).toContain('is dropped already');
      for (const id of ['session-a', 'session-b', 'session-c']) expect(ledgerOf(host, id)).not.toMatch(OF_A);
      expect(heard(host, 'session-d')).not.toMatch(OF_A);
    },
  );

  test('since the log is a link says so, and drops the work all the same', async () => {
    const host = newHost();
    await end(work(host, 'session-a'));
    const path = host.state('sessions', 'session-a', 'events.jsonl');
    renameSync(path, `${path}.aside`);
    symlinkSync('events.jsonl.aside', path);
    const { code, stdout, stderr } = run(host, 'session', 'abandon', 'session-a');
    expect([code, stdout]).toEqual([0, expect.stringContaining('Session session-a is dropped')]);
    expect(stderr).toContain('Not noted in the log');
    expect(ledgerOf(host, 'session-a')).not.toMatch(OF_A);
    expect(heard(host, 'session-b')).not.toMatch(OF_A);
  });
});

test.each(['at once', 'of a fork'])(
  'a fork of a dropped session holds nothing of the dropped work (%s)',
  async (how) => {
    const host = newHost();
    const a = work(host, 'session-a');
    await end(a);
    done(host, 'session', 'abandon', 'session-a');
    const fork = (from: ReturnType<typeof talk>, id: string, words: string) => {
      const each = talk(host, id);
      copyFileSync(from.transcript, each.transcript);
      each.fire('SessionStart', { source: 'fork' });
      each.fire('UserPromptSubmit');
      each.write(request(words), { ...answer(50_000, { id: `m-${id}` }), uuid: `u-${id}` });
      each.fire('Stop', {});
      return each;
    };
    const one = fork(a, 'session-f', 'Write the changelog');
    const told = how === 'at once' ? one : fork(one, 'session-g', 'Sort the changelog');
    if (told !== one) await end(one);
    expect(ledgerOf(host, told.id)).toContain('Write the changelog');
    expect(ledgerOf(host, told.id)).not.toMatch(OF_A);
    await end(told);
    expect(run(host, 'handoff').stdout).toContain('changelog');
    expect(heard(host, 'session-n')).not.toMatch(OF_A);
  },
);

test('a rewind to before the drop does not bring the dropped work back', async () => {
  const host = newHost();
  const a = talk(host, 'session-a');
  a.fire('SessionStart', { source: 'startup' });
  a.fire('UserPromptSubmit');
  const line = (one: Line, uuid: string, parentUuid: string | null): Line => ({ ...one, uuid, parentUuid });
  a.write(
    line(request('Port the expression compiler'), 'r1', null),
    line(answer(40_000, { id: 'm1' }), 'n1', 'r1'),
    line(request('Add tests of the lexer'), 'r2', 'n1'),
    line(answer(41_000, { id: 'm2' }), 'n2', 'r2'),
  );
  a.fire('Stop', {});
  done(host, 'session', 'abandon', 'session-a');
  a.fire('UserPromptSubmit');
  a.write(line(request('Write the changelog'), 'r3', 'n2'), line(answer(42_000, { id: 'm3' }), 'n3', 'r3'));
  a.fire('Stop', {});
  a.fire('UserPromptSubmit');
  a.write(
    line(request('Write the upgrade guide'), 'r4', 'n1'),
    line(answer(43_000, { id: 'm4' }), 'n4', 'r4'),
  );
  await end(a);
  const { stdout } = run(host, 'handoff');
  expect(stdout).toContain('Write the upgrade guide');
  expect(stdout).not.toMatch(OF_A);
});

test('of a session that holds nothing after the drop nothing is said', async () => {
  const host = newHost();
  const a = work(host, 'session-a');
  done(host, 'session', 'abandon', 'session-a');
  a.fire('UserPromptSubmit');
  await a.kill();
  expect(heard(host, 'session-b')).not.toContain('resumption-context');
  expect(run(host, 'handoff').stderr).toContain('left nothing to tell');
});

test('all sessions whose work a drop takes are named, and none keeps half a link', async () => {
  const host = newHost();
  await end(work(host, 'session-a'));
  await end(goOn(host, 'session-b', 'Write the release notes'));
  await end(goOn(host, 'session-c', 'Write the upgrade guide'));
  expect(run(host, 'session', 'abandon', 'session-b').stdout).toBe(
    'Session session-b is dropped, and with it session-a, whose work it went on with: by hand. Nobody is told of their work again; what is asked there from now on is new work.\n',
  );
  const list = run(host, 'session', 'list').stdout;
  expect(list).toMatch(/^session-a {2}dropped/m);
  expect(list).not.toContain('went on in');
  expect(JSON.parse(run(host, 'session', 'abandon', 'session-c', '--json').stdout)).toEqual({
    session: 'session-c',
    status: 'dropped',
    reason: 'by hand',
    dropped: ['session-c'],
  });
});

test('the alert of a session that was dropped tells only of what came after, also where it was owed before', async () => {
  const host = newHost();
  const a = work(host, 'session-a');
  a.write(answer(150_000, { id: 'm10' }));
  a.fire('PreCompact', { trigger: 'auto', custom_instructions: null });
  expect(a.fire('SessionStart', { source: 'compact' }).context).toContain('Port the expression compiler');
  a.write(boundary(), summary(), answer(30_000, { id: 'm11' }));
  done(host, 'session', 'abandon', 'session-a');
  // Said again otherwise, since no trace of it stands behind the boundary.
  for (let time = 0; time < 3; time++)
    expect(a.fire('UserPromptSubmit').context).not.toContain('compaction-alert');
  a.write(request('Write the release notes'), answer(150_000, { id: 'm12' }));
  a.fire('PreCompact', { trigger: 'auto', custom_instructions: null });
  const second = a.fire('SessionStart', { source: 'compact' }).context;
  expect(second).toContain('Write the release notes');
  expect(second).not.toMatch(/Port the expression compiler|Write the parser/);
  expect(failuresOf(host)).toEqual([]);
});

test('what was dropped is acknowledged, and its folder goes like that of any other', async () => {
  const host = newHost();
  await end(work(host, 'session-a'));
  done(host, 'session', 'abandon', 'session-a');
  expect(readFileSync(host.state('checkpoints', 'cx-001-checkpoint.json.acknowledged'), 'utf8')).toContain(
    '"evidence":"dropped","by":"cx-001","reason":"by hand"',
  );
  done(host, 'delete', '--session', 'session-a', '--yes');
  expect(run(host, 'session', 'list').stdout).toContain('No session yet');
});
