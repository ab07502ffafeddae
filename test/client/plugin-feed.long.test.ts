// Tests that the plugin writes nothing in the home folder, and survives a feed that cannot be written.
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { listProjectPaths } from '../../src/platform/project/paths.ts';
import { readRegistered } from '../../src/platform/project/state-folder.ts';
import { openSession, runHeadless } from '../kit/client.ts';
import { failures } from '../kit/plimsoll.ts';
import { asking, measured, sandboxWith, withPlugin } from './plugin.ts';
import { bash, standard } from './said.ts';

test('in the home folder nothing is written', async () => {
  const sandbox = await sandboxWith({ script: { main: [{ text: 'ok', fill: 40_000 }] } });
  const { stdout } = await runHeadless(sandbox, ['-p', 'hello', ...standard, ...withPlugin], {
    cwd: sandbox.home,
  });
  expect(stdout).toContain('ok');
  expect(existsSync(path.join(sandbox.home, '.plimsoll'))).toBe(false);
});

test('a feed that cannot be written is told in the failure log, and to nobody else', async () => {
  const sandbox = await sandboxWith({
    settings: asking(['Stop']),
    script: {
      main: [
        { tools: [bash('true')], fill: 30_000 },
        { text: 'done', fill: 40_000 },
      ],
    },
  });
  const id = randomUUID();
  const paths = readRegistered(listProjectPaths(sandbox.projectDir, sandbox.env), sandbox.env);
  const blocked = paths.session(id).feed('module');
  mkdirSync(blocked, { recursive: true });
  const talk = openSession(sandbox, ['--session-id', id, ...standard, ...withPlugin]);
  const { result, is_error } = await talk.say('go');
  await talk.end();
  expect({ result, is_error, stderr: talk.stderr() }).toEqual({
    result: 'done',
    is_error: false,
    stderr: '',
  });
  expect(measured(sandbox)).toMatchObject([{ tokens: 40_000, source: 'usage', windowSource: 'table' }]);
  const errors = failures(sandbox).map((line) => (JSON.parse(line) as { error: string }).error);
  expect([...new Set(errors)]).toEqual([`unsafe-file: Not a file: "${blocked}"`]);
});
