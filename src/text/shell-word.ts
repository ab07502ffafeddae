// Quotes a text as one word of a POSIX shell command.

/** One word that holds exactly this text. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The same for a command that somebody is told to run: in quotes only where it has to be. Names from files must start nothing. */
export const shellWord = (text: string): string =>
  /^[\w.,:@%+=/][\w.,:@%+=/-]*$/.test(text) ? text : quoted(text);
