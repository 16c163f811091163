import type { Json } from '../../spec/index.ts';

/** Control characters other than tab, line feed and carriage return. Some languages also trim U+0085, a line break. */
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/g;

/**
 * True for a text that was only cleaned up: trimmed, in another Unicode normalisation form, without markup or control characters, or
 * null where nothing is left. The document does not say that texts are stored unchanged, so this violates nothing documented.
 */
export function isRespelled(sent: Json, read: Json | undefined): boolean {
  if (typeof sent !== 'string') return false;
  const shown = read ?? '';
  return typeof shown === 'string' && cleaned(sent) === cleaned(shown);
}

function cleaned(text: string): string {
  return text
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(CONTROLS, '')
    .replaceAll('\r\n', '\n')
    .trim()
    .normalize('NFC');
}
