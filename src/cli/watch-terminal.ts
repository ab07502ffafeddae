// How is a view drawn in place on a terminal, and how is the terminal given back as it was?
import { type Line, written } from './watch-screen.ts';

const ENTER = '\u001b[?1049h\u001b[?25l\u001b[?7l';
const LEAVE = '\u001b[?7h\u001b[?25h\u001b[?1049l';
const HOME = '\u001b[H';
const TO_END_OF_LINE = '\u001b[K';
const TO_END_OF_SCREEN = '\u001b[J';

/** Where no terminal says how large it is. */
const ROWS = 24;
const COLUMNS = 80;

export interface Terminal {
  rows: () => number;
  columns: () => number;
  /** Draws what is different from the last time; `again` draws it all. */
  draw: (lines: readonly Line[], again?: boolean) => void;
  /** Gives the terminal back; more than once is no harm. */
  leave: () => void;
  /** Takes it again, after it was given back. */
  enter: () => void;
}

/** A screen of its own, without a cursor, so that what stood there comes back at the end. */
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
