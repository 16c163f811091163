import { parsedJson } from '../../../spec/index.ts';
import { pointerTo } from '../../../spec/pointer.ts';
import { clip } from '../../text/visible.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';

const LIMIT = 16_000;

/** Deeper JSON is not parsed, since bodies that test parsers would exceed the stack. */
const DEEPEST = 100;

/** A body: JSON is indented and the value at `pointer` marked; anything else is unchanged. */
export function bodyMarkup(body: string, pointer?: string): Markup {
  const value = body.length > LIMIT || depthOf(body) > DEEPEST ? undefined : parse(body);
  if (value === undefined)
    return html`<pre class="code">${clip(/^\s*[{[]/.test(body) ? indented(clip(body, LIMIT)) : body, 2 * LIMIT)}</pre>`;
  return html`<pre class="code">${jsonMarkup(value, '', pointer === '' ? undefined : pointer, '')}</pre>`;
}

function parse(body: string): unknown {
  const value = parsedJson(body);
  return typeof value === 'object' && value !== null ? value : undefined;
}

/** Depth of nesting, by the brackets outside of strings. */
function depthOf(text: string): number {
  let [depth, deepest] = [0, 0];
  for (const [part] of text.matchAll(/"(?:[^"\\]|\\.)*"?|[{}[\]]/gs)) {
    if (part === '{' || part === '[') deepest = Math.max(deepest, (depth += 1));
    else if (part === '}' || part === ']') depth -= 1;
  }
  return deepest;
}

/** Truncated or invalid JSON, indented by its brackets. */
function indented(text: string): string {
  let depth = 0;
  const line = (): string => `\n${'  '.repeat(Math.min(depth, 40))}`;
  return text.replace(/"(?:[^"\\]|\\.)*"?|[{}[\],]|\s+/gs, (part) => {
    if (part === '{' || part === '[') return ((depth += 1), part + line());
    if (part === '}' || part === ']') return ((depth = Math.max(0, depth - 1)), line() + part);
    if (part === ',') return part + line();
    return part.trim() === '' ? ' ' : part;
  });
}

function jsonMarkup(value: unknown, here: string, pointer: string | undefined, indent: string): Markup {
  const inner = innerMarkup(value, here, pointer, indent);
  return here === pointer ? html`<mark class="ins">${inner}</mark>` : inner;
}

function innerMarkup(value: unknown, here: string, pointer: string | undefined, indent: string): Markup {
  if (typeof value !== 'object' || value === null)
    return html`<span class="${kindOf(value)}">${JSON.stringify(value)}</span>`;
  const next = `${indent}  `;
  const members = Object.entries(value).map(([key, member]) => {
    const at = pointerTo(here, key);
    const name = Array.isArray(value) ? '' : html`<span class="key">${JSON.stringify(key)}</span>: `;
    return html`${`\n${next}`}${name}${jsonMarkup(member, at, pointer, next)}`;
  });
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (members.length === 0) return html`${open}${close}`;
  const list = members.map((member, index) => [member, index < members.length - 1 ? ',' : '']);
  return html`${open}${list}${`\n${indent}`}${close}`;
}

function kindOf(value: unknown): string {
  return `v-${value === null ? 'null' : typeof value}`;
}
