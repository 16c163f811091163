import { isUtf8 } from 'node:buffer';
import { HIDDEN } from '../../spec/escape.ts';
import { isOwnIdempotencyKey } from '../../spec/index.ts';
import type { Exchange } from '../../spec/index.ts';
import { isShortId } from '../../spec/short-id.ts';
import type { Connection } from '../connection.ts';
import { headerVariable } from '../extra-headers.ts';
import { placeholdersIn, variablesIn } from '../tokens.ts';
import { formWords } from './form-parts.ts';
import { generatorOf } from './repeated-text.ts';
import { shellQuote } from './shell.ts';
import type { ShellVariables } from './shell.ts';

/** A longer body is generated, or read from a file, instead of being part of the line. */
const LONGEST_BODY = 16 * 1024;

/** From this size on, curl sends `Expect: 100-continue`. */
const EXPECT_FROM = 1024 * 1024;

/** Variables of tokens are replaced in URLs and Authorization headers only; elsewhere `$ASSAY_TOKEN` is ordinary text. */
function withTokens(text: string, variables: ShellVariables): ShellVariables {
  const tokens = placeholdersIn(text).map((each) => [each.toLowerCase(), each.slice(1)] as const);
  return new Map([...variables, ...tokens]);
}

/** True for a header in which a variable represents a secret; in others it is ordinary text. */
function mayHoldSecret(name: string, value: string): boolean {
  const [variable] = variablesIn(value);
  return name === 'authorization' || name === 'cookie' || (variable !== undefined && value.startsWith(`$${variable}`));
}

/** Headers that a repeated request omits: the sender, and the trace of the original request. */
const NOT_REPEATED: ReadonlySet<string> = new Set(['user-agent', 'traceparent']);

/** A new key for each request, on Linux and macOS. */
const NEW_KEY = '$(uuidgen || cat /proc/sys/kernel/random/uuid)';

function headerWords({ request }: Exchange, variables: ShellVariables): string[] {
  const { headers, body } = request;
  const isForm = formOf(request, variables) !== undefined;
  const words = Object.entries(headers)
    .filter(([name]) => !NOT_REPEATED.has(name) && !(isForm && name === 'content-type'))
    .map(([name, value]) => {
      if (isOwnIdempotencyKey(name, value)) return `-H "${name}: ${NEW_KEY}"`;
      const text = value === '' ? `${name};` : `${name}: ${value}`;
      const variable = headerVariable(name);
      const isHidden = variable !== undefined && value === `$${variable}`;
      if (isHidden) return `-H ${shellQuote(text, new Map([[value.toLowerCase(), variable]]))}`;
      const [, user] = name === 'authorization' ? (/^Basic (\$ASSAY_CREDENTIAL_.*)$/.exec(value) ?? []) : [];
      if (user !== undefined) return `-u ${shellQuote(user, withTokens(user, variables))}`;
      const decoding = name === 'accept-encoding' ? '--compressed ' : '';
      return `${decoding}-H ${shellQuote(text, mayHoldSecret(name, value) ? withTokens(text, variables) : variables)}`;
    });
  const unwanted = ['accept', ...(body ? ['content-type'] : [])].filter((name) => headers[name] === undefined);
  const own = body && body.byteLength >= EXPECT_FROM ? [...unwanted, 'expect'] : unwanted;
  return [...words, ...own.map((name) => `-H '${name}:'`)];
}

/** True for a text that a report shows, and a terminal takes, as it is. */
function isPlainText(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && !HIDDEN.test(Buffer.from(bytes).toString('utf8'));
}

/** The options for a form; undefined for another body, and for one that is too long. */
function formOf({ body, headers }: Exchange['request'], variables: ShellVariables): readonly string[] | undefined {
  if (body === undefined || body.byteLength > LONGEST_BODY || !isUtf8(body)) return undefined;
  return formWords(Buffer.from(body).toString('utf8'), headers['content-type'] ?? '', variables);
}

/** Commands that print a long text; undefined for other bodies, and for texts that are too long even so. */
function generated(body: Uint8Array | undefined, variables: ShellVariables = new Map()): string | undefined {
  if (body === undefined || body.byteLength <= LONGEST_BODY || !isPlainText(body)) return undefined;
  return generatorOf(Buffer.from(body).toString('utf8'), LONGEST_BODY / 4, variables);
}

function needsPipe(request: Exchange['request']): boolean {
  const { body } = request;
  const isShort = body !== undefined && body.byteLength > 0 && body.byteLength <= LONGEST_BODY;
  return isShort && !isPlainText(body) && formOf(request, new Map()) === undefined;
}

function bodyWord(request: Exchange['request'], body: Uint8Array, variables: ShellVariables): string {
  const isGenerated = generated(body) !== undefined;
  if (body.byteLength > LONGEST_BODY && !isGenerated) return `--data-binary @body-of-${body.byteLength}-bytes`;
  if (isGenerated || needsPipe(request)) return '--data-binary @-';
  const form = formOf(request, variables);
  if (form !== undefined) return form.join(' ');
  const text = Buffer.from(body).toString('utf8');
  return `${text.startsWith('@') ? '--data-raw' : '--data-binary'} ${shellQuote(text, variables)}`;
}

function methodWords(exchange: Exchange): string[] {
  const { method, body } = exchange.request;
  if (method === 'HEAD' && !body) return ['--head'];
  return method === (body ? 'POST' : 'GET') ? [] : [`-X ${method}`];
}

function urlWords(url: string, variables: ShellVariables): string[] {
  const glob = /[[\]{}]/.test(url) ? ['-g'] : [];
  const asIs = /\/\.{1,2}(?:[/?]|$)/.test(url) ? ['--path-as-is'] : [];
  return [...glob, ...asIs, shellQuote(url, withTokens(url, variables))];
}

export interface CurlOptions {
  /** How the run reached the deployment. */
  readonly connection?: Connection | undefined;
  /** What the command prints; default: head and body of the response. */
  readonly output?: 'body' | 'none';
  /** Texts of the request to replace with shell variables. */
  readonly variables?: ShellVariables;
}

const OUTPUT = { all: '-i ', body: '', none: '-o /dev/null ' } as const;

/** True if the line contains the complete body, as text or encoded. */
export function fitsLine({ request: { body } }: Exchange): boolean {
  return body === undefined || body.byteLength <= LONGEST_BODY || generated(body) !== undefined;
}

/** True if the line contains the complete body as text. */
export function isWrittenOut(exchange: Exchange): boolean {
  return fitsLine(exchange) && !needsPipe(exchange.request);
}

function tlsWords({ insecure, ca, cert, key }: Connection): string[] {
  const files = Object.entries({ cacert: ca, cert, key }).filter(([, file]) => file !== undefined);
  return [...(insecure === true ? ['-k'] : []), ...files.map(([name, file]) => `--${name} ${shellQuote(file ?? '')}`)];
}

/**
 * The request of an exchange as one line for a POSIX shell in which `$ASSAY_TOKEN` and similar variables hold the tokens. It
 * sends the same request except for User-Agent and trace; a body over 16 KiB that repeats no short text is read from a file that the user
 * must provide.
 */
export function toCurl(
  exchange: Exchange,
  { connection = {}, output, variables = new Map() }: CurlOptions = {},
): string {
  const { url, body } = exchange.request;
  // A short id may be a number or a word of the headers or the body.
  const inText = new Map([...variables].filter(([id]) => !isShortId(id)));
  const data = body ? [bodyWord(exchange.request, body, inText)] : [];
  const line = [
    `curl -sS ${OUTPUT[output ?? 'all']}`.trimEnd(),
    ...(url.startsWith('https:') ? tlsWords(connection) : []),
    ...methodWords(exchange),
    ...urlWords(url, variables),
    ...headerWords(exchange, inText),
    ...data,
  ].join(' ');
  const generator = generated(body, inText);
  if (generator !== undefined) return `${generator} | ${line}`;
  if (!body || !needsPipe(exchange.request)) return line;
  return `printf %s ${Buffer.from(body).toString('base64')} | base64 -d | ${line}`;
}
