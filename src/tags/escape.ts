// How does text from disk stand inside our tags without being able to close or forge one?

/** Our tags, and the host's own that a model trusts. */
const TAGS =
  /<(?=\s*\/?\s*(?:context-monitor|compaction-alert|resumption-context|project-context|track-context|quality-[a-z]+|system-reminder)\b)/gi;

const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f\u2028\u2029]/;

/** Whether a text can stand in our tags as it is, with its own lines. */
export const isHarmless = (text: string): boolean =>
  !CONTROLS.test(text.replaceAll('\r\n', '\n')) && text.search(TAGS) < 0;

/** Makes foreign text harmless: no tag of ours opens or closes in it, no control characters, no line of its own. */
export function inline(text: string): string {
  return (
    text
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f\u2028\u2029]/g, ' ')
      .replace(/\s*\n\s*/g, ' ')
      // A run of blanks costs hardly a token, but the host counts characters.
      .replace(/[ \t]{2,}/g, ' ')
      .replace(TAGS, '‹')
      .trim()
  );
}
