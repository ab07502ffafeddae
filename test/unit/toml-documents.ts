// Generates TOML as somebody might write it: odd keys, values, comments, headers, line ends.
import fc from 'fast-check';
import { parse } from 'smol-toml';

const KEYS = ['a', 'b', 'a.b', '"q.r"', "'l'", '"\\u0041 x"', 'b . c', '1', '"]"', '"#"'];
const VALUES = [
  '1',
  '1_000',
  '0.5',
  'true',
  '"x # y"',
  "'it] = \"'",
  '"a\\"b"',
  '"""\n# no\n"quoted" ""\\" """',
  "'''\n'a' = 1\n'''",
  '""""two""""',
  '1979-05-27 07:32:00Z',
  '[]',
  '[1, 2]',
  '[ # one\n  "]", # two\n  [1, [2]],\n]',
  '{}',
  '{ x = 1, "y.z" = [1, 2], w.v = "}" }',
  '{ # three\n  x = { y = 1 }, # four\n}',
  'inf',
  '-0x1',
];
const line = fc.oneof(
  fc
    .tuple(fc.constantFrom(...KEYS), fc.constantFrom('=', ' = ', '\t=  '), fc.constantFrom(...VALUES))
    .map(([key, sign, value]) => `${key}${sign}${value}`),
  fc.constantFrom(
    '[t]',
    '[ t . u ]',
    '["t.u"]',
    '[[list]]',
    '[list.below]',
    '[a]',
    '',
    '   ',
    '# comment',
    '\t# [x]',
  ),
);
const ended = fc
  .tuple(line, fc.constantFrom('', '', ' # behind', '#close'))
  .map(([text, comment]) => text + comment);
/** Texts in TOML's odder forms; some of them are none. */
export const DOCUMENTS = fc
  .tuple(fc.array(ended, { maxLength: 8 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
  .map(([lines, eol, isEnded]) => (lines.join('\n') + (isEnded ? '\n' : '')).replaceAll('\n', eol));

/** The data of a text; null where it is no TOML. */
export const accepted = (text: string): Record<string, unknown> | null => {
  try {
    return parse(text);
  } catch {
    return null;
  }
};
