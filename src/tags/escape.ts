// How does text from disk stand inside our tags without being able to close or forge one?

/** Our tags, and the host's own that a model trusts. */
const TAGS =
  /<(?=[\s\u200c\u200d]*\/?[\s\u200c\u200d]*(?:context-monitor|compaction-alert|resumption-context|project-context|track-context|quality-[a-z]+|system-reminder)\b)/gi;

/**
 * What is not to be seen and yet is read: control characters, line separators, blanks without width, marks that turn the
 * direction of writing, and the letters of Unicode's plane of tags, in which a whole text hides.
 */
const CONTROLS =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|\udb40[\udc00-\uddef]/g;

/** Whether a text can stand in our tags as it is, with its own lines. */
export const isHarmless = (text: string): boolean =>
  text.replaceAll('\r\n', '\n').search(CONTROLS) < 0 && text.search(TAGS) < 0;

/** Makes foreign text harmless: no tag of ours opens or closes in it, no control characters, no line of its own. */
export function inline(text: string): string {
  return (
    text
      .replace(CONTROLS, ' ')
      .replace(/\s*\n\s*/g, ' ')
      // A run of blanks costs hardly a token, but the host counts characters.
      .replace(/[ \t]{2,}/g, ' ')
      .replace(TAGS, '‹')
      .trim()
  );
}
