// Draws charts in a document without a browser, and puts drawings below each other; thins out long series.

import { plot } from '@observablehq/plot';
import { parseHTML } from 'linkedom';
import { html, type Markup, showHidden, trustMarkup } from '../html.ts';

export interface ChartSize {
  width: number;
  /** Whether names stand inside, for a phone. */
  isNarrow: boolean;
  /** So many points of a series are drawn. */
  points: number;
  /** So many stretches of a chart tell their figures when pointed at. */
  tips: number;
}

export const WIDE: ChartSize = { width: 1040, isNarrow: false, points: 1_500, tips: 240 };
export const NARROW: ChartSize = { width: 340, isNarrow: true, points: 400, tips: 0 };

export type Drawn = ReturnType<typeof plot>;
type PlotOptions = NonNullable<Parameters<typeof plot>[0]>;

/** A chart without the style sheet that the library puts into each: the page has one. */
export function drawPlot(options: PlotOptions): Drawn {
  const { document } = parseHTML('<!doctype html><html><body></body></html>');
  const drawn = plot({ ...options, document: document as never, className: 'plot' });
  for (const style of drawn.querySelectorAll('style')) style.remove();
  // Names of groups that are no words of ours; the whole picture has one.
  for (const part of drawn.querySelectorAll('[aria-label]')) part.removeAttribute('aria-label');
  return drawn;
}

/** Margins of what is drawn over the calls of a session. */
export const findMargins = ({ isNarrow }: ChartSize) => ({
  marginLeft: isNarrow ? 40 : 96,
  marginRight: isNarrow ? 76 : 152,
});

const heightOf = (drawn: Drawn): number => Number(drawn.getAttribute('height'));

/** Puts drawings of the same width below each other, as one picture with a name. */
export function stackDrawings(
  parts: readonly Drawn[],
  { width, isNarrow }: ChartSize,
  label: string,
): Markup {
  let height = 0;
  for (const part of parts) {
    part.setAttribute('y', String(height));
    height += heightOf(part);
  }
  // The library has escaped what stands in its elements.
  const drawn = parts.map((part) => part.outerHTML).join('');
  const inner = showHidden(drawn).replaceAll('font-size="10"', `font-size="${isNarrow ? 11 : 12}"`);
  return html`<svg class="${isNarrow ? 'narrow' : 'wide'}" role="img" aria-label="${label}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" xmlns="http://www.w3.org/2000/svg">${trustMarkup(inner)}</svg>`;
}

/** Indexes of at most about `most` values: of each stretch the lowest and the highest, and the first and last of all. */
export function thinIndexes(values: readonly number[], most: number): number[] {
  if (values.length <= most) return values.map((_, index) => index);
  const kept = new Set([0, values.length - 1]);
  const stretches = Math.max(1, Math.floor(most / 2) - 1);
  for (let stretch = 0; stretch < stretches; stretch++) {
    const from = Math.floor((stretch * values.length) / stretches);
    const to = Math.floor(((stretch + 1) * values.length) / stretches);
    let [low, high] = [from, from];
    for (let index = from; index < to; index++) {
      if ((values[index] ?? 0) < (values[low] ?? 0)) low = index;
      if ((values[index] ?? 0) > (values[high] ?? 0)) high = index;
    }
    kept.add(low).add(high);
  }
  return [...kept].sort((a, b) => a - b);
}
