import { readFile } from 'node:fs/promises';
import { AssayError, usageError } from '../errors.ts';

/** Largest description in bytes. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Time limit for a URL. */
const TIMEOUT_MS = 20_000;

const HEADERS = { accept: 'application/json, application/yaml;q=0.9, */*;q=0.5' };

/** True if a source is fetched over HTTP. */
export function isUrl(source: string): boolean {
  return /^https?:\/\//i.test(source);
}

/** Reads the text of a description from a file or URL. Throws an {@link AssayError} with a hint. */
export async function readSource(source: string): Promise<string> {
  const bytes = isUrl(source) ? await readUrl(source) : await readPath(source);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw usageError(`${source} is not UTF-8 text.`, 'Save the description as UTF-8.', cause);
  }
}

async function readPath(source: string): Promise<Uint8Array> {
  try {
    return await readFile(source);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'ENOENT')
      throw usageError(`There is no file ${source}.`, 'Use the path or URL of an OpenAPI or Swagger file.', cause);
    if (code === 'EISDIR')
      throw usageError(`${source} is a folder.`, 'Use the description file in that folder.', cause);
    throw usageError(
      `${source} cannot be read (${String(code ?? cause)}).`,
      'Check the permissions of the file.',
      cause,
    );
  }
}

async function readUrl(source: string): Promise<Uint8Array> {
  const response = await request(source);
  if (!response.ok) {
    await response.body?.cancel();
    throw usageError(
      `${source} returned status ${response.status}.`,
      'Open the URL in a browser: it must return the description itself.',
    );
  }
  try {
    return await limited(response, source);
  } catch (cause) {
    throw cause instanceof AssayError
      ? cause
      : usageError(
          `${source} could not be read completely (${reason(cause)}).`,
          'Try again, or save the description and use the file.',
          cause,
        );
  }
}

async function request(source: string): Promise<Response> {
  try {
    return await fetch(source, { headers: HEADERS, signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (cause) {
    throw usageError(
      `${source} cannot be fetched (${reason(cause)}).`,
      'Check the URL and the host, or save the description and use the file.',
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
      throw usageError(
        `${source} is larger than ${MAX_BYTES} bytes.`,
        'Check the URL, or save the part that you need and use the file.',
      );
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
