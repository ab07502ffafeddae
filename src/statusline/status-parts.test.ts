import { describe, expect, test } from 'vitest';
import { fitWords, type formatPart, type StatusPart } from './status-parts.ts';

const TEXTS: Partial<Record<StatusPart, string>> = {
  model: 'Opus',
  bar: '####',
  usage: '71%',
  tier: 'LOW',
  compactions: '0 c',
};
const lineOf = (
  format: string,
  width = 1_000,
  texts: Partial<Record<StatusPart, string>> = TEXTS,
): string => {
  const write = (words: ReturnType<typeof formatPart>): string =>
    words
      .map((word) => word.map((each) => ('part' in each ? (texts[each.part] ?? '') : each.text)).join(''))
      .join(' ');
  return write(
    fitWords(
      format,
      (part) => texts[part] !== undefined,
      width,
      (words) => write([...words]).length,
    ),
  );
};

describe('fitWords()', () => {
  // [format, line]
  test.each([
    ['{model} {usage}', 'Opus 71%'],
    ['{model}  {usage} ', 'Opus 71%'],
    ['{model} {headroom} {usage}', 'Opus 71%'],
    ['[{bar}]{usage} ctx', '[####]71%'],
    ['ctx: {usage}', '71%'],
    ['ctx:{usage}', 'ctx:71%'],
    ['{model} · {headroom} · {usage}', 'Opus · 71%'],
    ['{headroom} · {usage} · {checkpoint}', '71%'],
    ['{model} | - {usage}', 'Opus | 71%'],
    ['{usage}{headroom}', ''],
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
    expect(lineOf('{model} {bar} {usage} {tier} · {compactions}', width)).toBe(expected);
  });
});
