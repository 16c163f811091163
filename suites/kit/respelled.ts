import type { Json } from '../../spec/index.ts';

/** Control characters other than tab, line feed and carriage return. */
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/g;

/**
 * True for a text that is only cleaned up: without outer white space, in another Unicode normalisation, or without markup and
 * control characters. The document does not say that texts are kept to the letter, so it is no violation of it.
 */
export function isRespelled(sent: Json, read: Json | undefined): boolean {
  return typeof sent === 'string' && typeof read === 'string' && cleaned(sent) === cleaned(read);
}

function cleaned(text: string): string {
  return text
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(CONTROLS, '')
    .replaceAll('\r\n', '\n')
    .trim()
    .normalize('NFC');
}
