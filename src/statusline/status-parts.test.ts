import { describe, expect, test } from 'vitest';
import { type StatusPart, type wordsOf, wordsThatFit } from './status-parts.ts';

const TEXTS: Partial<Record<StatusPart, string>> = {
  model: 'Opus',
  bar: '####',
  fill: '71%',
  tier: 'LOW',
  epoch: '0 c',
};
const lineOf = (
  format: string,
  width = 1_000,
  texts: Partial<Record<StatusPart, string>> = TEXTS,
): string => {
  const write = (words: ReturnType<typeof wordsOf>): string =>
    words
      .map((word) => word.map((each) => ('part' in each ? (texts[each.part] ?? '') : each.text)).join(''))
      .join(' ');
  return write(
    wordsThatFit(
      format,
      (part) => texts[part] !== undefined,
      width,
      (words) => write([...words]).length,
    ),
  );
};

describe('wordsThatFit()', () => {
  // [format, line]
  test.each([
    ['{model} {fill}', 'Opus 71%'],
    ['{model}  {fill} ', 'Opus 71%'],
    ['{model} {headroom} {fill}', 'Opus 71%'],
    ['[{bar}]{fill} ctx', '[####]71%'],
    ['ctx: {fill}', '71%'],
    ['ctx:{fill}', 'ctx:71%'],
    ['{model} · {headroom} · {fill}', 'Opus · 71%'],
    ['{headroom} · {fill} · {checkpoint}', '71%'],
    ['{model} | - {fill}', 'Opus | 71%'],
    ['{fill}{headroom}', ''],
    ['no parts', ''],
  ])('of %j makes %j', (format, expected) => {
    expect(lineOf(format)).toBe(expected);
  });

  // [width, line]
  test.each([
    [30, 'Opus #### 71% LOW · 0 c'],
    [22, 'Opus #### 71% LOW'],
    [16, '#### 71% LOW'],
    [11, '71% LOW'],
    [6, '71%'],
    [1, '71%'],
  ])('drops the least important parts first: %i columns', (width, expected) => {
    expect(lineOf('{model} {bar} {fill} {tier} · {epoch}', width)).toBe(expected);
  });
});
