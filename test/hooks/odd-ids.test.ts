// Tests that a session's id is told on one line, whatever stands in it.
import { expect, test } from 'vitest';
import { plimsoll } from '../kit/plimsoll.ts';
import { answer, request } from '../unit/lines.ts';
import { type Host, newHost } from './host.ts';
import { talk } from './talk.ts';

const run = (host: Host, ...args: string[]) => plimsoll({ env: host.env, projectDir: host.project }, ...args);

test('an id with line breaks, or a very long one, stays on one line where it is told', async () => {
  const host = newHost();
  const odd = `x\ny\t${'z'.repeat(200)}`;
  const a = talk(host, odd, { file: 'odd' });
  a.fire('UserPromptSubmit');
  a.write(request('Port the expression compiler'), answer(40_000));
  a.fire('Stop', {});
  const said = [
    run(host, 'delete', '--session', odd).stderr.split('\n')[0] ?? '',
    run(host, 'session', 'list').stdout.trimEnd(),
    run(host, 'session', 'abandon', odd).stdout.trimEnd(),
    run(host, 'delete', '--session', odd, '--force', '--dry-run')
      .stdout.split('\n')
      .find((line) => line.includes('x')) ?? '',
  ];
  await a.kill();
  for (const line of said) {
    expect(line).toContain('x\\ny\\tz');
    expect(line).not.toMatch(/[\n\t]/);
    expect(line).not.toContain('z'.repeat(100));
  }
});
