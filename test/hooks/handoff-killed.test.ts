// Tests that a start that dies costs no handoff: the next prompt, tool call or session tells it.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { some } from '../kit/effort.ts';
import { answer, request, toolResult, toolUse } from '../unit/lines.ts';
import { CONTEXT, end, POINTER, work } from './earlier.ts';
import { type Host, newHost } from './host.ts';
import { type Talk, talk } from './talk.ts';

/** What ends a process at its n-th call that changes files, or when it is about to speak. */
const CUT = `
const fs = require('node:fs');
let left = process.env.CUT_AT === 'words' ? Infinity : Number(process.env.CUT_AT);
const die = () => process.kill(process.pid, 'SIGKILL');
for (const name of ['openSync', 'writeSync', 'writeFileSync', 'renameSync', 'linkSync', 'mkdirSync', 'appendFileSync']) {
  const whole = fs[name];
  fs[name] = (...args) => {
    const isChange = name !== 'openSync' || (typeof args[1] === 'string' ? args[1] !== 'r' : (args[1] & 3) !== 0);
    if (isChange && --left === 0) die();
    if (name === 'writeSync' && args[0] === 1 && left === Infinity) die();
    return whole(...args);
  };
}
`;

const REQUEST = "THE USER'S GOAL: Port the expression compiler to TypeScript";

/** A hook of a session that is killed at so many changes of files. True when it came so far. */
function killedAt(host: Host, of: Talk, at: number | 'words', event: string, fields: object): boolean {
  const cut = path.join(host.root, 'cut.cjs');
  writeFileSync(cut, CUT);
  Object.assign(host.env, { NODE_OPTIONS: `--require "${cut}"`, CUT_AT: `${at}` });
  const { code } = of.fire(event, { ...fields });
  delete host.env.NODE_OPTIONS;
  return code === null;
}

const START = { source: 'startup' };
const PLACES = [1, 2, 4, 7, 10, 13, 16];

test.each(some(PLACES, 4))('a start that is killed at its change of files number %i', async (at) => {
  const host = newHost();
  await end(work(host, 'session-a'));
  const b = talk(host, 'session-b');
  const isKilled = killedAt(host, b, at, 'SessionStart', START);
  const said = b.fire('UserPromptSubmit', { prompt: 'Go on.' }).context;
  if (isKilled) expect(said).toContain(REQUEST);
  else expect(said).not.toContain(CONTEXT);
  b.write(request('Go on.'));
  // Once, and it is taken: the next session hears of the whole thread from this one, and of no other.
  expect(b.fire('UserPromptSubmit', { prompt: 'And now?' }).context).not.toContain(CONTEXT);
  await end(b);
  const next = talk(host, 'session-c').fire('SessionStart', START).context;
  expect(next.split(REQUEST)).toHaveLength(2);
  expect(next).not.toContain(POINTER);
});

describe('a session is told of the one before it', () => {
  const begun = async (): Promise<{ host: Host; b: Talk }> => {
    const host = newHost();
    await end(work(host, 'session-a'));
    return { host, b: talk(host, 'session-b') };
  };

  test('at its first prompt, where no start was heard of', async () => {
    const { b } = await begun();
    expect(b.fire('UserPromptSubmit', { prompt: 'Go on.' }).context).toContain(REQUEST);
  });

  test('at its first tool call, where no start and no prompt was heard of', async () => {
    const { b } = await begun();
    b.write(request('Go on.'), toolUse('t1', 'Bash', { command: 'ls' }), answer(20_000), toolResult('t1'));
    expect(b.fire('PostToolUse', { tool_name: 'Bash', tool_use_id: 't1' }).context).toContain(REQUEST);
    expect(b.fire('PostToolUse', { tool_name: 'Bash', tool_use_id: 't1' }).context).not.toContain(CONTEXT);
  });

  test('not in the middle, where nothing was ever heard of its beginning', async () => {
    const { b } = await begun();
    b.write(request('One.'), answer(20_000), request('Two.'), answer(21_000, { id: 'm2' }));
    expect(b.fire('UserPromptSubmit', { prompt: 'Three.' }).context).not.toContain('resumption-context');
  });

  test('at its next prompt, where the first one was killed as well', async () => {
    const { host, b } = await begun();
    killedAt(host, b, 'words', 'SessionStart', START);
    expect(killedAt(host, b, 'words', 'UserPromptSubmit', { prompt: 'Go on.' })).toBe(true);
    b.write(request('Go on.'), answer(20_000));
    expect(b.fire('UserPromptSubmit', { prompt: 'Next.' }).context).toContain(REQUEST);
  });

  test('when its client comes back, where it was never told', async () => {
    const { host, b } = await begun();
    killedAt(host, b, 'words', 'SessionStart', START);
    expect(b.fire('SessionStart', { source: 'resume' }).context).not.toContain(CONTEXT);
    expect(b.fire('UserPromptSubmit', { prompt: 'Go on.' }).context).toContain(REQUEST);
  });

  test('or the next session is, where nothing came of it', async () => {
    const { host, b } = await begun();
    killedAt(host, b, 'words', 'SessionStart', START);
    await b.kill();
    expect(talk(host, 'session-c').fire('SessionStart', START).context).toContain(REQUEST);
  });

  test('and the next session of both, where it worked without having been told', async () => {
    const { host, b } = await begun();
    killedAt(host, b, 'words', 'SessionStart', START);
    killedAt(host, b, 'words', 'UserPromptSubmit', { prompt: 'Write the printer.' });
    b.write(request('Write the printer.'), answer(20_000));
    await b.kill();
    const said = talk(host, 'session-c').fire('SessionStart', START).context;
    expect(said).toContain(': Write the printer.');
    expect(said).toContain(`${POINTER} (just now), the user asked: Port the expression`);
  });

  test('once, where it was said and its start died before it could note so', async () => {
    const { host, b } = await begun();
    const said = b.fire('SessionStart', START).context;
    expect(said).toContain(REQUEST);
    const file = host.state('sessions', 'session-b', 'state.json');
    writeFileSync(
      file,
      JSON.stringify({ ...(b.state() as object), received_handoff: null, handoff_due: 'startup' }),
    );
    b.store('SessionStart', said);
    b.write(request('Go on.'));
    expect(b.fire('UserPromptSubmit', { prompt: 'Go on.' }).context).not.toContain(CONTEXT);
  });
});
