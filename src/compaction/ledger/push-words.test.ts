import { describe, expect, test } from 'vitest';
import { beginsWithAgreement, findEmptyKind } from './request-kind.ts';

const PUSHES =
  'go on|Go on.|ok, thanks|hello, go on|你好，请继续|yes|Yes, do it|ok|OK, go ahead!|continue|please continue|y|lgtm 👍|👍|...|next|sure, go for it|yes please, continue|weiter|mach weiter|ja, bitte|' +
  'continue s’il te plaît|vas-y|oui|d’accord|continúa|sigue|sí, adelante|прод' +
  'олжай|да, давай|继续|请继续|好的，继续|可以|続けて|続けてください|はい、お願いします|계속|계속해줘|네, 진행해주세요|استمر|نعم|devam et|tiếp tục';
const REQUESTS =
  'Build the parser|Fix it|fix the tests|修复登录|写测试|加上日志|修正して|テストを書いて|로그인 수정|اصلح الاختبار|go to the next page and parse it|yes, but keep the tabs|ok now add a lexer|no|' +
  'stop|next step: the lexer|Parser bauen|weiter mit dem Lexer|ajoute un test|keep going with the lexer instead|继续写解析器的测试|' +
  'hello world|Hello, build the parser|hi, fix it|thanks, now the lexer|你好世界|你好，修复登录|こんにちは、テストを書いて|안녕 페이지 추가|hallo, Parser bauen|danke, jetzt der Lexer';

const COURTESIES =
  'Hello|hello!|Hi|hi there|Hey Claude|hey :)|Good morning!|hello, how are you?|thanks|Thank you so much!|hallo|Guten Tag|moin|danke|vielen Dank!|' +
  'bonjour|salut, ça va ?|merci beaucoup|hola|¡Buenos días!|muchas gracias|olá, tudo bem?|ciao|grazie mille|hoi|dank je wel|cześć|merhaba|xin chào|привет|' +
  'Здравствуйте!|спасибо|привіт|你好|你好！|您好，谢谢|こんにちは|おはようございます。|ありがとうございます|안녕하세요|감사합니다|مرحبا|שלום|سلام|नमस्ते|สวัสดีครับ';

describe('findEmptyKind()', () => {
  test.each(PUSHES.split('|'))('%j only pushes on', (text) => expect(findEmptyKind(text)).toBe('push'));
  test.each(COURTESIES.split('|'))('%j is polite', (text) => expect(findEmptyKind(text)).toBe('courtesy'));
  test.each(REQUESTS.split('|'))('%j asks for something', (text) => expect(findEmptyKind(text)).toBeNull());
});

test.each<[string, boolean]>([
  ['yes, but keep the tabs', true],
  ['ja, aber ohne Tabs', true],
  ['好的，但是不要用制表符', true],
  ['yesterday it worked', false],
  ['thanks, now write the docs', false],
  ['hello', false],
  ['Build the parser', false],
])('beginsWithAgreement(%j) is %s', (text, expected) => {
  expect(beginsWithAgreement(text)).toBe(expected);
});
