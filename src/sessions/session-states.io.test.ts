import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AT_THE_MOMENT, program, together } from '../../test/unit/programs.ts';
import { namedProject, pathsIn, temporaryProject } from '../../test/unit/temporary.ts';
import type { ProjectPaths } from '../platform/project/paths.ts';
import { createSessionState } from './session-state.ts';
import { readCurrent } from './session-state-file.io.ts';
import { patchSessionState, readSessionState } from './session-states.io.ts';

const ID = '857c5031-0000-4000-8000-000000000002';

/** Puts a state file there as it may be found. */
function found(paths: ProjectPaths, text: string, id = ID): string {
  const path = paths.session(id).state;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}
const textOf = (more: object): string => JSON.stringify({ ...createSessionState(ID), ...more });

describe('readConversation()', () => {
  test('is null where there is no file', () => {
    expect(readSessionState(temporaryProject(), ID)).toBeNull();
  });

  test('fills in what an earlier version did not know', () => {
    const paths = temporaryProject();
    found(paths, JSON.stringify({ schema_version: '1.0.0', session_id: ID, epoch: 3 }));
    expect(readSessionState(paths, ID)).toEqual({
      ...createSessionState(ID),
      schema_version: '1.0.0',
      epoch: 3,
    });
  });

  test.each([
    ['the state of another session', textOf({ session_id: 'other' }), /Not the state of this session/],
    ['of a newer version', textOf({ schema_version: '2.0.0' }), /newer version/],
    ['no JSON', '{"session_id": "857c', /./],
    ['empty', '', /./],
    ['null', 'null', /Not the state/],
    ['a list', '[]', /Not the state/],
  ])('throws where the file is %s', (_, text, message) => {
    const paths = temporaryProject();
    found(paths, text);
    expect(() => readSessionState(paths, ID)).toThrow(message);
  });

  test('reads a newer minor version', () => {
    const paths = temporaryProject();
    found(paths, textOf({ schema_version: '1.99.0', epoch: 2 }));
    expect(readSessionState(paths, ID)?.epoch).toBe(2);
  });
});

describe('readCurrent()', () => {
  test.each([
    ['there is none', null],
    ['it is of an earlier version', { schema_version: '1.0.0', session_id: ID }],
    ['it is of a later version', { schema_version: '1.99.0', session_id: ID }],
    ['it is of another session', { schema_version: createSessionState('').schema_version, session_id: 'b' }],
  ])('gives nothing where %s', (_, value) => {
    const paths = temporaryProject();
    if (value !== null) found(paths, JSON.stringify(value));
    expect(readCurrent(paths, ID)).toBeNull();
  });
});

describe('patchConversation()', () => {
  test('brings the state of an earlier version up to this one', () => {
    const paths = temporaryProject();
    found(paths, JSON.stringify({ schema_version: '1.0.0', session_id: ID, epoch: 3 }));
    patchSessionState(paths, ID, { off: true });
    expect(readCurrent(paths, ID)).toEqual({ ...createSessionState(ID), epoch: 3, off: true });
  });

  test('writes the first state, for the user alone, with a .gitignore', () => {
    const paths = temporaryProject();
    patchSessionState(paths, ID, { epoch: 1 });
    expect(readSessionState(paths, ID)).toEqual({ ...createSessionState(ID), epoch: 1 });
    expect(statSync(paths.session(ID).state).mode & 0o777).toBe(0o600);
    expect(existsSync(join(paths.state, '.gitignore'))).toBe(true);
  });

  test('applies a patch to the newest state on disk', () => {
    const paths = temporaryProject();
    patchSessionState(paths, ID, { epoch: 1, max_tokens_by_model: { a: 100 } });
    patchSessionState(paths, ID, { max_tokens_by_model: { a: 50, b: 10 }, off: true });
    expect(readSessionState(paths, ID)).toMatchObject({
      epoch: 1,
      max_tokens_by_model: { a: 100, b: 10 },
      off: true,
    });
    expect(readdirSync(paths.sessions)).toEqual([ID]);
    expect(readdirSync(paths.session(ID).folder)).toEqual(['state.json']);
  });

  test.each([
    ['torn', '{"session_id": "857c'],
    ['empty', ''],
    ['of another session', textOf({ session_id: 'other', epoch: 9 })],
    ['a list', '[1]'],
  ])('sets a file aside that is %s, and begins anew', (_, text) => {
    const paths = temporaryProject();
    const path = found(paths, text);
    patchSessionState(paths, ID, { epoch: 1 });
    expect(readFileSync(`${path}.unreadable`, 'utf8')).toBe(text);
    expect(readSessionState(paths, ID)?.epoch).toBe(1);
  });

  test('leaves a file of a newer version alone, and says so', () => {
    const paths = temporaryProject();
    const text = textOf({ schema_version: '2.0.0', epoch: 7, of_the_future: true });
    const path = found(paths, text);
    expect(() => patchSessionState(paths, ID, { epoch: 1 })).toThrow(/newer version/);
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(readdirSync(paths.sessions)).toEqual([ID]);
    expect(readdirSync(paths.session(ID).folder)).toEqual(['state.json']);
  });

  test('keeps fields that it does not know', () => {
    const paths = temporaryProject();
    found(paths, textOf({ schema_version: '1.2.0', of_the_future: 5 }));
    patchSessionState(paths, ID, { epoch: 1 });
    expect(JSON.parse(readFileSync(paths.session(ID).state, 'utf8'))).toMatchObject({
      of_the_future: 5,
      epoch: 1,
    });
  });

  test('stays in its folder, whatever the id of the host', () => {
    const paths = temporaryProject();
    for (const id of ['../../../escape', '/etc/passwd', 'a/b', '..', 'con', '']) {
      patchSessionState(paths, id, { epoch: 4 });
      expect(readSessionState(paths, id)?.epoch).toBe(4);
    }
    expect(readdirSync(paths.sessions)).toHaveLength(6);
    expect(readdirSync(paths.root ?? '')).toEqual(['.plimsoll']);
  });

  test('loses no patch of 8 processes', async () => {
    const { root } = namedProject();
    const source = program(`
      import { patchSessionState } from './sessions/session-states.io.ts';
      import { listProjectPaths } from './platform/project/paths.ts';
      ${AT_THE_MOMENT}
      const paths = listProjectPaths(args[0], { HOME: args[0] + ".home" });
      for (let done = 0; done < 10; ) {
        try {
          patchSessionState(paths, 'c', { max_tokens_by_model: { [process.pid + '-' + done]: 1 } });
          done++;
        } catch (error) {
          if (!String(error).includes('Cannot lock')) throw error;
        }
      }
    `);
    await together(source, 8, [root]);
    const state = readSessionState(pathsIn(root), 'c');
    expect(Object.keys(state?.max_tokens_by_model ?? {})).toHaveLength(80);
    expect(readdirSync(pathsIn(root).session('c').folder)).toEqual(['state.json']);
  });
});
