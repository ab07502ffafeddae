import { describe, expect, test } from 'vitest';
import { beginsWithAgreement, isPush } from './push-words.ts';

const PUSHES =
  'go on|Go on.|yes|Yes, do it|ok|OK, go ahead!|continue|please continue|y|lgtm 👍|👍|...|next|sure, go for it|yes please, continue|weiter|mach weiter|ja, bitte|' +
  'continue s’il te plaît|vas-y|oui|d’accord|continúa|sigue|sí, adelante|прод' +
  'олжай|да, давай|继续|请继续|好的，继续|可以|続けて|続けてください|はい、お願いします|계속|계속해줘|네, 진행해주세요|استمر|نعم|devam et|tiếp tục';
const REQUESTS =
  'Build the parser|Fix it|fix the tests|修复登录|写测试|加上日志|修正して|テストを書いて|로그인 수정|اصلح الاختبار|go to the next page and parse it|yes, but keep the tabs|ok now add a lexer|no|' +
  'stop|next step: the lexer|Parser bauen|weiter mit dem Lexer|ajoute un test|keep going with the lexer instead|继续写解析器的测试';

describe('isPush()', () => {
  test.each(PUSHES.split('|'))('%j only pushes on', (text) => expect(isPush(text)).toBe(true));
  test.each(REQUESTS.split('|'))('%j asks for something', (text) => expect(isPush(text)).toBe(false));
});

test.each<[string, boolean]>([
  ['yes, but keep the tabs', true],
  ['ja, aber ohne Tabs', true],
  ['好的，但是不要用制表符', true],
  ['yesterday it worked', false],
  ['Build the parser', false],
])('beginsWithAgreement(%j) is %s', (text, expected) => {
  expect(beginsWithAgreement(text)).toBe(expected);
});
