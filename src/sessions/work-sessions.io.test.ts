import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { AT_THE_MOMENT, deadPid, program, together } from '../../test/unit/programs.ts';
import { namedProject, pathsIn, temporaryProject } from '../../test/unit/temporary.ts';
import { eventsFolder, type ProjectPaths } from '../platform/project/paths.ts';
import type { LogEvent } from './log-event.ts';
import { appendEvents, readEvents } from './read-events.io.ts';
import { newSessionState, type SessionPatch, type SessionState } from './session-state.ts';
import { patchSessionState, readSessionState } from './session-states.io.ts';
import { buildSession } from './work-session.ts';
import { beginSession, endSession } from './work-sessions.io.ts';

const NOW = Date.parse('2026-11-28T07:00:00.000Z');
const AT = new Date(NOW).toISOString();

function keep(paths: ProjectPaths, id: string, patch: SessionPatch = {}): SessionState {
  patchSessionState(paths, id, patch);
  return readSessionState(paths, id) ?? newSessionState(id);
}
type Moment = Parameters<typeof beginSession>[2]['moment'];
/** Something comes in a conversation, and what is known of it then is kept. */
function comes(
  paths: ProjectPaths,
  id: string,
  moment: Moment = 'prompt',
  rest: LogEvent[] = [],
): string | null {
  const own = keep(paths, id);
  const input = { moment, isBare: rest.length === 0, rest: () => rest, now: NOW };
  const begun = beginSession(paths, own, input);
  if (begun !== null) patchSessionState(paths, id, { session: begun.stream, session_open: begun.isOpen });
  return begun?.stream ?? null;
}
const end = (conversation: string, cause: string): LogEvent =>
  cause === 'conversation'
    ? { type: 'SessionCompleted', conversation, reason: 'x', cause }
    : { type: 'SessionAbandoned', conversation, reason: 'x', cause };
const types = (paths: ProjectPaths, stream: string): string[] =>
  readEvents(paths, stream).events.map((event) => event.type);
const event: LogEvent = { type: 'AgentCompleted', conversation: 'a', agent: 'x', agent_type: 'y' };

describe('beginSession()', () => {
  test('16 processes that come at once begin one session', async () => {
    const { root } = namedProject();
    keep(pathsIn(root), 'a', { entrypoint: 'cli' });
    const source = program(`
      import { newSessionState } from './sessions/session-state.ts';
      import { beginSession } from './sessions/work-sessions.io.ts';
      import { projectPaths } from './platform/project/paths.ts';
      ${AT_THE_MOMENT}
      const paths = projectPaths(args[0], { HOME: args[0] + ".home" });
      for (;;) {
        try {
          const input = { moment: 'prompt', isBare: true, rest: () => [], now: Date.now() };
          console.log(beginSession(paths, newSessionState('a'), input).stream);
          break;
        } catch (error) {
          if (!String(error).includes('lock')) throw error;
        }
      }
    `);
    const ended = await together(source, 16, [root]);
    expect(new Set(ended.map((each) => each.stdout.trim()))).toEqual(new Set(['a']));
    expect(types(pathsIn(root), 'a')).toEqual(['SessionStarted']);
  });

  test.each<[string, string, Moment, string | null, string[]]>([
    ['conversation', 'a prompt', 'prompt', 'a', ['SessionLinked']],
    ['died', 'a tool call', 'after-tool', 'a', ['SessionLinked']],
    ['conversation', 'something else', 'other', 'a', []],
    ['emergency', 'a tool call', 'after-tool', 'a~2', ['SessionStarted']],
    ['person', 'a prompt', 'prompt', 'a~2', ['SessionStarted']],
    ['person', 'a tool call', 'after-tool', null, []],
    ['conversation', 'a person who starts one', 'start', 'a~2', ['SessionStarted']],
  ])('after an end by "%s" comes %s', (cause, _, moment, stream, added) => {
    const paths = temporaryProject();
    comes(paths, 'a');
    endSession(paths, 'a', end('a', cause), NOW);
    expect(readSessionState(paths, 'a')).toMatchObject({ session: 'a', session_open: false });
    expect(comes(paths, 'a', moment)).toBe(stream);
    const before = stream === 'a~2' ? [] : ['SessionStarted', types(paths, 'a')[1] ?? ''];
    expect(types(paths, stream ?? 'a')).toEqual([...before, ...added]);
  });

  test('a session that is over is not opened again by way of a later one', () => {
    const paths = temporaryProject();
    comes(paths, 'a');
    endSession(paths, 'a', end('a', 'conversation'), NOW);
    expect(comes(paths, 'a', 'start')).toBe('a~2');
    endSession(paths, 'a~2', end('a', 'emergency'), NOW);
    expect(comes(paths, 'a', 'after-tool')).toBe('a~3');
    expect(readEvents(paths, 'a~3').events).toMatchObject([{ type: 'SessionStarted', previous: 'a~2' }]);
    expect(buildSession(readEvents(paths, 'a').events)?.status).toBe('completed');
  });

  test('what comes with the beginning is one append', () => {
    const paths = temporaryProject();
    expect(comes(paths, 'a', 'prompt', [event])).toBe('a');
    expect(comes(paths, 'a', 'prompt', [event])).toBe('a');
    expect(types(paths, 'a')).toEqual(['SessionStarted', 'AgentCompleted', 'AgentCompleted']);
  });

  test('what is noted without work opens nothing again, and is noted all the same', () => {
    const paths = temporaryProject();
    comes(paths, 'a');
    endSession(paths, 'a', end('a', 'conversation'), NOW);
    comes(paths, 'a', 'other', [event]);
    expect(types(paths, 'a')).toEqual(['SessionStarted', 'SessionCompleted', 'AgentCompleted']);
    expect(readSessionState(paths, 'a')?.session_open).toBe(false);
  });

  const resumption = {
    from: 'a',
    status: 'leased',
    tries: 1,
    offset: 0,
    at: AT,
    channel: 'SessionStart',
  } as const;
  test.each([
    ['taken', 'b', 'prompt', 'a'],
    ['leased', 'b', 'prompt', 'a'],
    ['leased', 'b', 'after-tool', 'a'],
    ['leased', 'b', 'other', 'b'],
    ['taken', 'c', 'prompt', 'b'],
  ] as const)(
    'a session that was left is %s by %s: at the moment "%s" b goes on in %s',
    (status, by, moment, stream) => {
      const paths = temporaryProject();
      comes(paths, 'a');
      endSession(paths, 'a', end('a', 'died'), NOW);
      keep(paths, 'a', { session_open: true, resumed_by: { session_id: by, status, at: AT } });
      keep(paths, 'b', { received_handoff: resumption });
      expect(comes(paths, 'b', moment)).toBe(stream);
      if (stream !== 'a') return;
      expect(readEvents(paths, 'a').events.at(-1)).toMatchObject({
        type: 'SessionLinked',
        from: 'a',
        reopened: true,
      });
      expect(readSessionState(paths, 'a')?.session_open).toBe(false);
      expect(buildSession(readEvents(paths, 'a').events)?.conversations).toEqual(['a', 'b']);
    },
  );

  test('what a person ended is not gone on with by taking it over', () => {
    const paths = temporaryProject();
    comes(paths, 'a');
    endSession(paths, 'a', end('a', 'person'), NOW);
    keep(paths, 'a', { resumed_by: { session_id: 'b', status: 'taken', at: AT } });
    keep(paths, 'b', { received_handoff: resumption });
    expect(comes(paths, 'b', 'after-tool')).toBe('b');
    expect(readEvents(paths, 'b').events).toMatchObject([{ type: 'SessionStarted', previous: 'a' }]);
  });

  test('a session whose stream is gone is not made anew under the name of another conversation', () => {
    const paths = temporaryProject();
    keep(paths, 'b', { session: 'a', session_open: false });
    expect(comes(paths, 'b')).toBe('b');
    expect(readdirSync(eventsFolder(paths))).toContain('b.jsonl');
    expect(types(paths, 'a')).toEqual([]);
  });

  test('ends what nothing ended: given up where no end was noted, completed where one was', async () => {
    const paths = temporaryProject();
    const gone = { pid: await deadPid(), began: null };
    for (const id of ['dead', 'ended', 'alive']) {
      keep(paths, id, { process: { pid: process.pid, began: null } });
      comes(paths, id);
    }
    for (const id of ['dead', 'ended']) keep(paths, id, { process: gone });
    keep(paths, 'ended', { ended: { at: AT, reason: 'clear' } });
    comes(paths, 'new');
    expect(readEvents(paths, 'dead').events.at(-1)).toMatchObject({
      type: 'SessionAbandoned',
      cause: 'died',
    });
    expect(readEvents(paths, 'ended').events.at(-1)).toMatchObject({
      type: 'SessionCompleted',
      reason: 'clear',
      cause: 'conversation',
    });
    expect(types(paths, 'alive')).toEqual(['SessionStarted']);
    comes(paths, 'newer');
    expect(types(paths, 'dead')).toHaveLength(2);
  });
});

describe('endSession()', () => {
  test('ends once, and gives the session as it was', () => {
    const paths = temporaryProject();
    comes(paths, 'a');
    expect(endSession(paths, 'a', end('a', 'person'), NOW)?.status).toBe('active');
    expect(endSession(paths, 'a', end('a', 'person'), NOW)?.status).toBe('abandoned');
    expect(types(paths, 'a')).toEqual(['SessionStarted', 'SessionAbandoned']);
    expect(endSession(paths, 'none', end('a', 'person'), NOW)).toBeNull();
  });

  test('reads what others wrote meanwhile', () => {
    const paths = temporaryProject();
    comes(paths, 'a');
    appendEvents(paths, 'a', [end('a', 'conversation')], { now: NOW });
    expect(endSession(paths, 'a', end('a', 'person'), NOW)?.status).toBe('completed');
  });
});
