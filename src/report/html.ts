// Builds HTML in which everything that is put in is text, unless it was built here itself; and tables and figures of it.

import { formatThousands } from '../text/lines.ts';

/** HTML that may stand in a page as it is. */
export interface Markup {
  readonly markup: string;
}

type Part = Markup | readonly Part[] | string | number | null | undefined | false;

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Control characters, and those that turn the direction of writing: nobody sees them, and they move what is seen. */
const HIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g;

/** Replaces characters that a page hides or obeys. */
export const showHidden = (text: string): string => text.toWellFormed().replace(HIDDEN, '\ufffd');

const escapeText = (text: string): string =>
  showHidden(text).replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '');

function toMarkup(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (typeof part === 'string') return escapeText(part);
  if (typeof part === 'number') return String(part);
  return 'markup' in part ? part.markup : part.map(toMarkup).join('');
}

/** A template whose values become text, or stay what they are where this built them. */
export const html = (strings: TemplateStringsArray, ...values: readonly Part[]): Markup => ({
  markup: strings.reduce((text, each, index) => `${text}${toMarkup(values[index - 1])}${each}`),
});

/** A path that may be broken behind its slashes. */
export const breakPath = (path: string): Markup =>
  html`${path.split(/(?<=[\\/])/).map((part, index) => (index === 0 ? html`${part}` : html`<wbr>${part}`))}`;

/** What is no foreign text: our own style sheet and script, and a chart whose library has escaped it. */
export const trustMarkup = (markup: string): Markup => ({ markup });

/** A heading of a level; headings below a section go on from it. */
export const heading = (level: number, text: string): Markup =>
  html`${trustMarkup(`<h${level}>`)}${text}${trustMarkup(`</h${level}>`)}`;

export type Cell = string | number | Markup;
export type TableRow = readonly Cell[];

const NUMBER = /^-?[\d,.]+(?:%|k|M)?$|^-$/;

const isFigure = (cell: Cell | undefined): boolean =>
  typeof cell === 'number' || (typeof cell === 'string' && NUMBER.test(cell));

/** Dates, tiers and other words that stay on one line. */
const isShort = (cell: Cell | undefined): boolean =>
  typeof cell === 'number' || (typeof cell === 'string' && cell.length <= 20);

const show = (cell: Cell): string | Markup =>
  typeof cell === 'number' ? (Number.isInteger(cell) ? formatThousands(cell) : String(cell)) : cell;

/** A table with its caption, in a region that the keyboard reaches. A column of figures stands to the right, a column of short words on one line. */
export function buildTable(caption: string, head: readonly string[], rows: readonly TableRow[]): Markup {
  const isEach = (index: number, is: (cell: Cell | undefined) => boolean): boolean =>
    rows.length > 0 && rows.every((row) => is(row[index]));
  const kinds = head.map((_, index) => (isEach(index, isFigure) ? 'n' : isEach(index, isShort) ? 'd' : 't'));
  const kind = (index: number): string => kinds[index] ?? 't';
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${`Table: ${caption}`}"><table><caption>${caption}</caption><thead><tr>${head.map(
    (name, index) => html`<th scope="col" class="${kind(index)}">${name}</th>`,
  )}</tr></thead><tbody>${rows.map(
    (row) =>
      html`<tr>${row.map((cell, index) =>
        index === 0
          ? html`<th scope="row" class="${kind(index)}">${show(cell)}</th>`
          : html`<td class="${kind(index)}">${show(cell)}</td>`,
      )}</tr>`,
  )}</tbody></table></div>`;
}

/** Charts of the same figures in several sizes, of which one is seen, with what explains them. */
export const figure = (charts: readonly Markup[], caption: string, key: Markup | null = null): Markup =>
  html`<figure>${charts}${key}<figcaption>${caption}</figcaption></figure>`;
