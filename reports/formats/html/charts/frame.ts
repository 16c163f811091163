import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';
import type { Scale } from './scale.ts';

export const SIZE = { width: 460, height: 220, left: 52, right: 450, top: 12, bottom: 194 } as const;

/** Height of the title of the x axis. */
const TITLE = 20;

/** A chart without its marks: caption, legend, and axes with ticks. */
export interface Frame {
  readonly title: string;
  readonly note?: string;
  readonly x: Scale;
  readonly y: Scale;
  readonly xLabel: (value: number) => string;
  readonly yLabel: (value: number) => string;
  readonly xTitle?: string;
  /** Names of the lines, by the classes of their strokes; of areas and dots, by `area` and `dot` with their classes. */
  readonly keys: readonly (readonly [stroke: string, name: string])[];
  readonly marks: Markup;
  /** What is shown at the pointer: for each column its x in pixels, its label and its values. */
  readonly points?: {
    readonly names: readonly string[];
    readonly x: readonly (readonly [number, string, readonly string[]])[];
  };
}

export function frameMarkup(frame: Frame): Markup {
  const { left, right, top, bottom, width, height } = SIZE;
  const { x, y } = frame;
  const data = frame.points === undefined ? undefined : JSON.stringify({ ...frame.points, left, right });
  return html`<figure class="chart">
    <figcaption>${frame.title}${frame.note === undefined ? '' : html` <small>${frame.note}</small>`}</figcaption>
    ${
      frame.keys.length < 2
        ? ''
        : html`<ul class="keys">
            ${frame.keys.map(
              ([stroke, name]) =>
                html`<li>
                  <svg viewBox="0 0 20 8" aria-hidden="true">${swatch(stroke)}</svg>${name}
                </li>`,
            )}
          </ul>`
    }
    <svg
      viewBox="0 0 ${width} ${height + (frame.xTitle === undefined ? 0 : TITLE)}"
      role="img"
      aria-label="${frame.title}"
      ${data === undefined ? '' : html` data-points="${data}"`}
    >
      ${y.ticks.map((tick) => html`<path class="grid" d="M${left} ${round(y(tick))}H${right}" /><text x="${left - 6}" y="${round(y(tick) + 4)}" text-anchor="end">${frame.yLabel(tick)}</text>`)}
      <path class="axis" d="M${left} ${bottom}H${right}" />
      ${x.ticks.filter((tick) => x(tick) >= left - 1 && x(tick) <= right + 1).map((tick) => html`<text x="${round(x(tick))}" y="${bottom + 17}" text-anchor="middle">${frame.xLabel(tick)}</text>`)}
      ${frame.xTitle === undefined ? '' : html`<text x="${(left + right) / 2}" y="${bottom + 17 + TITLE}" text-anchor="middle">${frame.xTitle}</text>`}
      ${frame.marks}
      <line class="cross" y1="${top}" y2="${bottom}" visibility="hidden" /></svg
    >${data === undefined ? '' : html`<p class="readout">&nbsp;</p>`}
  </figure>`;
}

/** The mark of a legend: a dot, an area or a line. */
function swatch(stroke: string): Markup {
  if (stroke.startsWith('dot ')) return html`<circle class="${stroke.slice(4)}" cx="10" cy="4" r="4" />`;
  if (stroke.startsWith('area ')) return html`<rect class="${stroke.slice(5)}" width="20" height="8" />`;
  return html`<path class="${stroke}" d="M0 4H20" />`;
}

export function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}

export function path(points: readonly (readonly [number, number])[]): string {
  return points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`).join('');
}
