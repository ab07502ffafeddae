import { expect, test } from 'vitest';
import { request, toolResult, toolUse } from '../../test/unit/lines.ts';
import { redactDeep } from './redact.ts';
import { workOf } from './work.ts';

const TOKEN = 'ghp_Zk8Qw2Lm9Xr4Vt7Bn1Pc6Hy3Zk8Qw2Lm9Xr4';

test('a secret that the end of a text cuts through leaves no part of it behind', () => {
  for (let before = 240; before <= 300; before++) {
    const command = `${'x '.repeat(before / 2)}${TOKEN} --go`;
    const lines = [
      request(`${'y '.repeat((before + 1_200) / 2)}${TOKEN} and more`),
      toolUse('t1', 'Bash', { command }),
      toolResult('t1', `Exit code 1\n${'z '.repeat((before + 100) / 2)}${TOKEN}`, { isError: true }),
    ];
    expect(JSON.stringify(redactDeep(workOf(lines)))).not.toMatch(/ghp_?Zk8|Zk8Qw2/);
  }
});

test('takes no longer than the text is long', () => {
  for (const piece of ['a=', 'password ', '-----BEGIN ', 'https://a:', 'eyJ', '"key": "', '\\"', 'sk-'])
    expect(typeof redactDeep(piece.repeat(20_000))).toBe('string');
}, 20_000);
