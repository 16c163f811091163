import { isUtf8 } from 'node:buffer';
import type { Json } from '../../spec/index.ts';
import { oneLine } from '../one-line.ts';

/** Deeper values are not used, so that recursion does not overflow the stack. */
const DEEPEST_JSON = 500;

const DEEPEST_PARSED = 100_000;

function nestsDeeper(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (char === 34) i = endOfString(text, i);
    else if (char === 91 || char === 123) {
      depth += 1;
      if (depth > limit) return true;
    } else if (char === 93 || char === 125) depth -= 1;
  }
  return false;
}

/** Index of the quote that ends the string, or the length of the text. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 92) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}

/** An error is returned, not thrown. Without value and error, the body is JSON that is nested too deeply. */
export function parseJson(body: Buffer): { json?: Json } | { jsonError: string } {
  if (body.length === 0) return { jsonError: 'the body is empty' };
  if (!isUtf8(body)) return { jsonError: 'the body is not valid UTF-8' };
  const text = body.toString('utf8').replace(/^\uFEFF/, '');
  const isDeep = nestsDeeper(text, DEEPEST_JSON);
  if (isDeep && nestsDeeper(text, DEEPEST_PARSED))
    return { jsonError: `nested deeper than ${DEEPEST_PARSED} levels; not parsed` };
  try {
    const json: Json = JSON.parse(text);
    return isDeep ? {} : { json };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { jsonError: oneLine(message, 200) };
  }
}
