// Escapes foreign text in our messages, so that it opens or closes no tag, hides nothing, and speaks for nobody else.

/** One word that holds exactly this text. */
export const quoteText = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The same for a command that somebody is told to run: in quotes only where it has to be. Names from files must start nothing. */
export const quoteShellWord = (text: string): string =>
  /^[\w.,:@%+=/][\w.,:@%+=/-]*$/.test(text) ? text : quoteText(text);

/** Our tags, and the hosts' own that a model trusts. */
const TAGS =
  /<(?=[\s\u200c\u200d]*\/?[\s\u200c\u200d]*(?:context-monitor|compaction-alert|resumption-context|project-context|track-context|quality-[a-z]+|plimsoll[a-z-]*|system(?:-[a-z]+)?|user(?:-[a-z]+)+|human|assistant|command-[a-z]+|local-command-[a-z]+|task-notification|function_[a-z]+|(?:antml:)?invoke|antml:[a-z_]+)\b)/gi;

/** The beginning of a line that claims to be said by the user, the host or us. */
const LABEL =
  "[\\s>*#_-]{0,20}((?:the )?user(?:['’]s)?|human|assistant|system|asked before|earlier requests?|you were doing|next (?:action|step)|context status)\\b[^:：\\n]{0,40}[:：]";
const FIRST_LABEL = new RegExp(`^${LABEL}`, 'i');
const ANY_LABEL = new RegExp(`^${LABEL}`, 'im');

/**
 * Characters that people do not see but a model reads: control characters, line separators, blanks without width, marks
 * that turn the direction of writing, and Unicode's tag characters, in which a whole text can hide.
 */
const CONTROLS =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|(?<=[!-~])[\u200c\u200d](?=[!-~])|\udb40[\udc00-\uddef]/g;

/** Whether a text can stand in our tags as it is, with its own lines. */
export const isSafeInMessage = (text: string): boolean =>
  text.replaceAll('\r\n', '\n').search(CONTROLS) < 0 && text.search(TAGS) < 0 && !ANY_LABEL.test(text);

/** Quotes a label at the beginning of foreign text, so that it does not read as one of ours. */
const asQuoted = (line: string): string =>
  FIRST_LABEL.test(line)
    ? line.replace(/[:：]/, (sign) => `"${sign}`).replace(/[^\s>*#_-]/, (first) => `"${first}`)
    : line;

/** Makes foreign text harmless: one line, in which no tag opens or closes, nothing is hidden, and nobody else speaks. */
export function escapeInline(text: string): string {
  return asQuoted(
    text
      .replace(CONTROLS, ' ')
      .replace(/\n+/g, ' ')
      // A run of blanks costs hardly a token, but the host counts characters.
      .replace(/\s{2,}/g, ' ')
      .replace(TAGS, '‹')
      .trim(),
  );
}

/** Applies `inline` to each line of our own sentences that contain foreign text. */
export const escapeInlineEach = (text: string): string => text.split('\n').map(escapeInline).join('\n');

/** A line of a file of the project, quoted as such. */
export const quoteLine = (line: string): string => {
  const [indent = ''] = /^ */.exec(line) ?? [];
  return `> ${indent.slice(0, 12)}${escapeInline(line)}`.trimEnd();
};
