import type { Json } from '../json.ts';

const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/** Reserved characters that do not end a query value. */
const KEPT = /%(2F|3F|3A|40|21|24|27|28|29|2A|2C|3B|3D)/g;

/** Percent-encodes all but unreserved characters; lone surrogates become U+FFFD. */
export function encodeAll(text: string): string {
  return encodeURIComponent(text.replace(LONE_SURROGATE, '\uFFFD')).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** As {@link encodeAll}, but keeps the reserved characters of `allowReserved` that do not end a query value. */
export function encodeReserved(text: string): string {
  return encodeAll(text).replace(KEPT, (triplet) => decodeURIComponent(triplet));
}

/** Percent-decodes a text; one that is malformed stays as it is. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A value as text: strings unchanged, anything else as JSON. */
export function plainText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
