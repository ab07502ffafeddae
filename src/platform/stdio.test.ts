import { describe, expect, test } from 'vitest';
import { program, start } from '../../test/unit/programs.ts';

const reader = (): string =>
  program(`
    import { printAll, readPayload } from './platform/stdio.ts';
    printAll(JSON.stringify({ payload: readPayload(Date.now, 4_000) }));
    process.exit(0);
  `);

const payload = async (write: (stdin: NodeJS.WritableStream) => void): Promise<unknown> => {
  const { child, ended } = start(reader(), []);
  if (child.stdin === null) throw new Error('no stdin');
  write(child.stdin);
  const { code, stdout } = await ended;
  expect(code).toBe(0);
  return JSON.parse(stdout).payload;
};

describe('readPayload()', () => {
  test.each<[string, string, unknown]>([
    ['an object', '{"a":1}', { a: 1 }],
    ['blanks after it', '{"a":1}\r\n\n ', { a: 1 }],
    ['pretty JSON', '{\n  "a": {\n    "b": 1\n  }\n}\n', { a: { b: 1 } }],
    ['nothing', '', null],
    ['half an object', '{"a":', null],
    ['no JSON', 'hello', null],
    ['a brace at the end of what is no JSON', 'hello }', null],
  ])('reads stdin with %s', async (_, text, expected) => {
    expect(await payload((stdin) => stdin.end(text))).toEqual(expected);
  });

  test('is done when the JSON is, though stdin stays open', async () => {
    const begin = performance.now();
    expect(await payload((stdin) => stdin.write('{"a":1}'))).toEqual({ a: 1 });
    expect(performance.now() - begin).toBeLessThan(3_000);
  });

  test('gives up when nothing comes on a stdin that stays open', async () => {
    expect(await payload(() => undefined)).toBeNull();
  });

  test('waits for JSON in pieces that look whole themselves', async () => {
    const found = await payload((stdin) => {
      stdin.write('{"a":{"b":1}');
      setTimeout(() => stdin.write(',"c":"ü 世'), 60);
      setTimeout(() => stdin.end('界 }"}'), 120);
    });
    expect(found).toEqual({ a: { b: 1 }, c: 'ü 世界 }' });
  });

  test('reads 3 MB, and answers with as much', async () => {
    const text = 'ü}'.repeat(1_000_000);
    expect(await payload((stdin) => stdin.end(JSON.stringify({ text })))).toEqual({ text });
  });
});
