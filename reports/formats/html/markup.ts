import { unicodeEscapes } from '../../../spec/escape.ts';
import { visible } from '../../text/visible.ts';

/** Text that is already HTML. Only {@link html} and {@link raw} make it, so text of a target can't become markup. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

export type Fragment = Markup | string | number | undefined | false | readonly Fragment[];

/** A template that escapes its values; markup is kept, lists are joined, undefined and false are left out. */
export function html(strings: TemplateStringsArray, ...parts: readonly Fragment[]): Markup {
  return new Markup(strings.reduce((text, string, index) => text + render(parts[index - 1]) + string));
}

/** Markup from a trusted text: the style sheet and script of the page. */
export function raw(text: string): Markup {
  return new Markup(text);
}

function render(part: Fragment): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'string' || typeof part === 'number') return escape(String(part));
  return part.map(render).join('');
}

function escape(text: string): string {
  return visible(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** A data block of JSON: nothing in it can end the block; hidden characters are escaped. */
export function dataBlock(value: unknown): Markup {
  const shown = JSON.stringify(value, (_, item: unknown) => (typeof item === 'string' ? visible(item) : item));
  const safe = shown.replace(/[<>&]/g, unicodeEscapes);
  return raw(`<script type="application/json" id="data">${safe}</script>`);
}
