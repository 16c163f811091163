import { HIDDEN } from '../../spec/escape.ts';
import { shellQuote } from './shell.ts';
import type { ShellVariables } from './shell.ts';

interface Part {
  readonly name: string;
  readonly type: string | undefined;
  readonly value: string;
}

const NAME = /^content-disposition: form-data; name="([\w.[\]-]+)"$/i;
const TYPE = /^content-type: ([\w.+/-]+)$/i;

function partOf(text: string): Part | undefined {
  const end = text.indexOf('\r\n\r\n');
  const [disposition = '', ...headers] = text.slice(0, Math.max(0, end)).split('\r\n');
  const name = NAME.exec(disposition)?.[1];
  const type = TYPE.exec(headers[0] ?? '')?.[1];
  const value = text.slice(end + 4);
  const isKnown = name !== undefined && headers.length === (type === undefined ? 0 : 1);
  return isKnown && !HIDDEN.test(value) ? { name, type, value } : undefined;
}

/** The parts of a form; undefined for another body, and for one with files, bytes or other headers. */
function partsOf(body: string, contentType: string): readonly Part[] | undefined {
  const boundary = /^multipart\/form-data; boundary=([\w-]+)$/.exec(contentType)?.[1];
  if (boundary === undefined || !body.startsWith(`--${boundary}\r\n`)) return undefined;
  const end = `\r\n--${boundary}--\r\n`;
  if (!body.endsWith(end)) return undefined;
  const texts = body.slice(boundary.length + 4, -end.length).split(`\r\n--${boundary}\r\n`);
  const parts = texts.map(partOf);
  return parts.every((each) => each !== undefined) ? parts : undefined;
}

/** The options with which curl sends a form with a boundary of its own; undefined where it would not send the same parts. */
export function formWords(body: string, contentType: string, variables: ShellVariables): readonly string[] | undefined {
  return partsOf(body, contentType)?.map(({ name, type, value }) => {
    if (type === undefined) return `--form-string ${shellQuote(`${name}=${value}`, variables)}`;
    const quoted = value.replaceAll(/["\\]/g, String.raw`\$&`);
    return `-F ${shellQuote(`${name}="${quoted}";type=${type}`, variables)}`;
  });
}
