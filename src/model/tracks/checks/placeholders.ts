// Does something stand in SPEC or PLAN only until somebody writes it? Code is left out.
import { withoutCode } from '../markdown.ts';
import type { Check } from './check.ts';

const WORD = /(?<![\w-])(?:TODO|TBD|FIXME|XXX)(?![\w-])/;
/** All that a line, or its value behind a label, says. */
const DOTS = /(?:^|[:|])\s*(?:…|\.{3})\s*(?:\||$)/;
/** Not `Vec<u8>`: what stands right behind a word is a type of it. */
const ANGLE = /(?<!\w)<([A-Za-z][^<>\n]{0,60})>/g;
/** Elements of HTML that people write in Markdown, addresses, and what has attributes. */
const HTML =
  /^\/?(?:a|abbr|b|blockquote|br|center|code|dd|del|details|div|dl|dt|em|figure|figcaption|font|h[1-6]|hr|i|img|ins|kbd|li|mark|ol|p|picture|pre|s|samp|section|small|source|span|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|u|ul|var|video)(?:\s.*=.*|\s*\/)?$|^[a-z][\w+.-]*:|^[^\s@]+@[^\s@]+$/i;

const bare = (text: string): string =>
  text.replace(/^\s*(?:[-*+]|\d+[.)])?\s*(?:\[.\] +)?/, '').replace(/[*_]+/g, '');

function placeholderIn(line: string): string | null {
  const text = withoutCode(line);
  const word = WORD.exec(text)?.[0];
  if (word !== undefined) return word;
  if (DOTS.test(bare(text))) return '…';
  for (const [whole, inner = ''] of text.matchAll(ANGLE)) if (!HTML.test(inner)) return whole;
  return null;
}

export const checkPlaceholders: Check = ({ spec, plan }) =>
  [spec, plan].flatMap(({ path, lines }) =>
    lines.flatMap(({ text, line }) => {
      const found = placeholderIn(text);
      return found === null
        ? []
        : [
            {
              file: path,
              line,
              message: `placeholder "${found}"`,
              next: 'write what is meant, or put it into code marks (`…`) where it is meant so',
            },
          ];
    }),
  );
