// Draws a view in place on a terminal, and restores the terminal afterwards.
import { type Line, written } from './watch-screen.ts';

const ENTER = '\u001b[?1049h\u001b[?25l\u001b[?7l';
const LEAVE = '\u001b[?7h\u001b[?25h\u001b[?1049l';
const HOME = '\u001b[H';
const TO_END_OF_LINE = '\u001b[K';
const TO_END_OF_SCREEN = '\u001b[J';

/** The size where the terminal does not tell it. */
const ROWS = 24;
const COLUMNS = 80;

export interface Terminal {
  rows: () => number;
  columns: () => number;
  /** Draws the lines where they differ from the last ones; with `again` in any case. */
  draw: (lines: readonly Line[], again?: boolean) => void;
  /** Restores the terminal; calling it again does nothing. */
  leave: () => void;
  /** Takes the terminal again after `leave`. */
  enter: () => void;
}

/** Opens the alternate screen without a cursor, so that the earlier content comes back at the end. */
export function openTerminal(stream: NodeJS.WriteStream, hasColours: boolean): Terminal {
  let isOpen = false;
  let drawn = '';
  const columns = (): number => stream.columns || COLUMNS;
  const enter = (): void => {
    if (isOpen) return;
    isOpen = true;
    drawn = '';
    stream.write(ENTER);
  };
  enter();
  return {
    rows: () => stream.rows || ROWS,
    columns,
    enter,
    draw: (lines, again = false) => {
      const text = lines.map((line) => `${written(line, columns(), hasColours)}${TO_END_OF_LINE}`).join('\n');
      if (!isOpen || (text === drawn && !again)) return;
      drawn = text;
      stream.write(`${HOME}${text.replaceAll('\n', '\r\n')}${TO_END_OF_SCREEN}`);
    },
    leave: () => {
      if (!isOpen) return;
      isOpen = false;
      stream.write(LEAVE);
    },
  };
}
