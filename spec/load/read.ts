import { readFile } from 'node:fs/promises';
import { AssayError, EXIT } from '../errors.ts';

/** Longest description that is read, in bytes. */
const MAX_BYTES = 64 * 1024 * 1024;

export interface ReadOptions {
  /** Milliseconds that a URL may take. */
  readonly timeoutMs?: number;
  /** Sent with the request for a URL, for descriptions that need a token. */
  readonly headers?: Readonly<Record<string, string>>;
}

function bad(message: string, hint: string, cause?: unknown): AssayError {
  return new AssayError(message, { hint, exitCode: EXIT.usage, cause });
}

/** True where a source is to be fetched. */
export function isUrl(source: string): boolean {
  return /^https?:\/\//i.test(source);
}

/** Reads a description's text from a file or URL; an {@link AssayError} says what went wrong and how to mend it. */
export async function readSource(source: string, options: ReadOptions = {}): Promise<string> {
  const bytes = isUrl(source) ? await readUrl(source, options) : await readPath(source);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw bad(`${source} is not UTF-8 text.`, 'Give a YAML or JSON description in UTF-8.', cause);
  }
}

async function readPath(source: string): Promise<Uint8Array> {
  try {
    return await readFile(source);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'ENOENT')
      throw bad(`There is no file ${source}.`, 'Give --spec the path of an OpenAPI or Swagger file, or a URL.', cause);
    if (code === 'EISDIR')
      throw bad(`${source} is a folder.`, 'Give --spec the file in it that holds the description.', cause);
    throw bad(`${source} cannot be read (${String(code ?? cause)}).`, 'Check that this user may read it.', cause);
  }
}

async function readUrl(source: string, options: ReadOptions): Promise<Uint8Array> {
  const response = await request(source, options);
  if (!response.ok) {
    await response.body?.cancel();
    throw bad(
      `${source} answered ${response.status}.`,
      'Open the URL in a browser: it must answer with the description itself.',
    );
  }
  try {
    return await limited(response, source);
  } catch (cause) {
    throw cause instanceof AssayError
      ? cause
      : bad(`${source} broke off (${reason(cause)}).`, 'Try again, or save the description and give the file.', cause);
  }
}

async function request(source: string, options: ReadOptions): Promise<Response> {
  const headers = { accept: 'application/json, application/yaml;q=0.9, */*;q=0.5', ...options.headers };
  try {
    return await fetch(source, { headers, signal: AbortSignal.timeout(options.timeoutMs ?? 20_000) });
  } catch (cause) {
    throw bad(
      `${source} cannot be fetched (${reason(cause)}).`,
      'Check the URL and that the host is up, or save the description and give the file.',
      cause,
    );
  }
}

function reason(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return cause.cause instanceof Error ? cause.cause.message : cause.message;
}

async function limited(response: Response, source: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    const bytes = chunk as Uint8Array;
    size += bytes.length;
    if (size > MAX_BYTES)
      throw bad(
        `${source} is longer than ${MAX_BYTES} bytes.`,
        'Is this the description? Save the part that you need and give the file.',
      );
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
