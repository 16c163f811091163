import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';
import { SIZE, round } from './frame.ts';

/** A limit that a threshold sets, in the unit of the axis. */
export interface Guide {
  readonly at: number;
  readonly label: string;
}

/** Widths are estimated: the text is 11 units high. */
const LETTER = 6;
const LINE = 13;

/** A text at a place of the x axis, in pixels. */
export interface Label {
  readonly x: number;
  readonly text: string;
}

export interface PlacedLabel extends Label {
  readonly y: number;
  /** It stands to the left of its x, since there is no room to the right. */
  readonly isEnd: boolean;
}

/** Puts labels on as many lines as they need, so that none covers another. */
export function placeLabels(labels: readonly Label[]): readonly PlacedLabel[] {
  const lines: { from: number; to: number }[][] = [];
  return labels.map(({ x, text }) => {
    const size = text.length * LETTER + 8;
    const isEnd = x + size > SIZE.right;
    const [from, to] = isEnd ? [x - size, x] : [x, x + size];
    const isFree = (taken: readonly { from: number; to: number }[]): boolean =>
      taken.every((other) => to <= other.from || from >= other.to);
    const found = lines.findIndex(isFree);
    const line = found < 0 ? lines.push([]) - 1 : found;
    lines[line]?.push({ from, to });
    return { x, text, isEnd, y: SIZE.top + 10 + line * LINE };
  });
}

export function kneeLine(x: number): Markup {
  return html`<path class="knee" d="M${Math.round(x)} ${SIZE.top}V${SIZE.bottom}" />`;
}

/** Vertical lines with labels that do not cover each other. */
export function markedPlaces(labels: readonly Label[]): Markup {
  const texts = placeLabels(labels).map(
    ({ x, y, text, isEnd }) =>
      html`<text x="${Math.round(x) + (isEnd ? -5 : 5)}" y="${y}" text-anchor="${isEnd ? 'end' : 'start'}"
        >${text}</text
      >`,
  );
  return html`${labels.map(({ x }) => kneeLine(x))}${texts}`;
}

/** Horizontal lines at limits, which the legend names. */
export function limitLines(guides: readonly Guide[], y: (value: number) => number): Markup {
  return html`${guides.map(({ at }) => html`<path class="limit" d="M${SIZE.left} ${round(y(at))}H${SIZE.right}" />`)}`;
}

export function limitKeys(guides: readonly Guide[]): readonly (readonly [stroke: string, name: string])[] {
  return guides.map(({ label }) => ['limit', label]);
}
