import { visibleLine } from './visible.ts';

/** Text that Markdown and the HTML within it take as text: nothing of it links, mentions or marks up. */
export function inline(text: string): string {
  return visibleLine(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[\\`*_{}[\]()#+!|~$]/g, (found) => `&#${found.charCodeAt(0)};`)
    .replace(/@(?=\w)/g, '&#64;')
    .replace(/:\/\//g, '&#58;//');
}

/** Text as inline code. */
export function code(text: string): string {
  return `<code>${inline(text)}</code>`;
}
