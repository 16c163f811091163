import { isObject } from '../../spec/index.ts';
import type { Json, JsonObject } from '../../spec/index.ts';

/** Control characters other than tab, line feed and carriage return. Some languages also trim U+0085, a line break. */
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/g;

/**
 * True for a text that was only cleaned up: trimmed, in another Unicode normalisation form, without markup or control characters, or
 * null where nothing is left; and for a map in which nothing but such texts and names differs. The document does not say that texts are stored unchanged, so this violates nothing documented.
 */
export function isRespelled(sent: Json, read: Json | undefined): boolean {
  if (isObject(sent) && isObject(read)) return isMapRespelled(sent, read);
  if (typeof sent !== 'string') return false;
  const shown = read ?? '';
  return typeof shown === 'string' && cleaned(sent) === cleaned(shown);
}

function isMapRespelled(sent: JsonObject, read: JsonObject): boolean {
  const names = new Map(Object.keys(read).map((name) => [cleaned(name), name]));
  const isKept = ([name, value]: readonly [string, Json]): boolean => {
    const shown = read[Object.hasOwn(read, name) ? name : (names.get(cleaned(name)) ?? name)];
    return isRespelled(value, shown) || JSON.stringify(value) === JSON.stringify(shown);
  };
  return Object.keys(sent).length === Object.keys(read).length && Object.entries(sent).every(isKept);
}

function cleaned(text: string): string {
  return text
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(CONTROLS, '')
    .replaceAll('\r\n', '\n')
    .trim()
    .normalize('NFC');
}
