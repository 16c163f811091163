import { visible } from '../../text/visible.ts';

/** Text that is already HTML. Only {@link html} and {@link raw} make it, so what a target answered can't become markup. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

export type Part = Markup | string | number | undefined | false | readonly Part[];

/** A template whose values are escaped, also within quoted attributes; nested markup stays, lists are joined, undefined and false are nothing. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(strings.reduce((text, string, index) => text + render(parts[index - 1]) + string));
}

/** Markup from a text that is trusted as it stands: our own style sheet and script. */
export function raw(text: string): Markup {
  return new Markup(text);
}

function render(part: Part): string {
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

/** JSON for a data block within a page: nothing in it can end the block, hidden characters are shown. */
export function dataBlock(id: string, value: unknown): Markup {
  const shown = JSON.stringify(value, (_, item: unknown) => (typeof item === 'string' ? visible(item) : item));
  const safe = shown.replace(/[<>&]/g, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return raw(`<script type="application/json" id="${id}">${safe}</script>`);
}
