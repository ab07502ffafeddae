import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { until } from '../../test/kit/wait.ts';
import { temporaryFolder } from '../../test/unit/temporary.ts';
import { runWrapped } from './inner-program.ts';
import { isAlive } from './process.ts';

const env = { PATH: process.env.PATH, MARK: "it's here" };
const input = Buffer.from('{"session_id":"s","é":"模"}\n');
const said = (command: string, ms = 20_000): Promise<string> => runWrapped(command, { input, env, ms });

describe('runWrapped()', () => {
  test.each<[string, string, string]>([
    ['gives the same bytes', 'cat', input.toString()],
    ['gives the same environment', 'printf %s "$MARK"', "it's here"],
    ['knows any quotes', `printf '%s' 'a "b" $c \\'`, 'a "b" $c \\'],
    ['keeps colours and lines', `printf '\\033[31mone\\033[0m\\ntwo\\n'`, '\u001b[31mone\u001b[0m\ntwo\n'],
    ['hears one that fails', 'echo so far; exit 3', 'so far\n'],
    ['hears one that reads nothing', 'exec <&-; echo deaf', 'deaf\n'],
    ['hears nothing of stderr', 'echo lost >&2; echo kept', 'kept\n'],
    ['hears nothing of one that is silent', 'true', ''],
    ['hears nothing of one that is not there', 'no-such-program-anywhere', ''],
    ['hears nothing of one that is no command', 'if then (', ''],
    ['does not wait for what it leaves running', 'sleep 3 & echo done', 'done\n'],
  ])('%s', async (_, command, expected) => {
    expect(await said(command)).toBe(expected);
  });

  test('what was said before its time was over counts, and nothing of it goes on', async () => {
    const file = join(temporaryFolder(), 'pid');
    const text = await said(`echo first; sh -c 'echo $$ > "${file}"; sleep 60' & sleep 60; echo never`, 400);
    expect(text).toBe('first\n');
    await until(() => existsSync(file) && readFileSync(file, 'utf8').trim() !== '', {
      what: 'its child to start',
    });
    await until(() => !isAlive(Number(readFileSync(file, 'utf8'))), { what: 'its child to end' });
  });

  test('one that never stops talking is cut', async () => {
    expect((await said('yes')).length).toBe(64 * 1024);
  });
});
