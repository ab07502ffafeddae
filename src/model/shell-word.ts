// How does a text stand in a command that somebody is told to run?

/** A text as one word of a POSIX shell, quoted where it is more than that: names from files must start nothing. */
export const shellWord = (text: string): string =>
  /^[\w.,:@%+=/][\w.,:@%+=/-]*$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
