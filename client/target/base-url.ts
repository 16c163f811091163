import { AssayError, EXIT } from '../../spec/index.ts';

/** A base URL taken apart: what undici connects to, and what precedes every path. */
export interface BaseUrl {
  /** Without a slash at the end. */
  readonly href: string;
  readonly origin: string;
  /** Empty, or begins with a slash and ends without one. */
  readonly path: string;
}

function refuse(message: string, hint: string, cause?: unknown): never {
  throw new AssayError(message, { hint, exitCode: EXIT.unreachable, cause });
}

function parse(text: string): URL {
  const bare = /^(localhost|[\w.-]+\.[\w-]+|\[[0-9a-f:]+\])(:\d+)?(\/.*)?$/i;
  if (bare.test(text))
    refuse(`The base URL "${text}" has no scheme.`, `Write --base-url http://${text} or https://${text}.`);
  try {
    return new URL(text);
  } catch (cause) {
    return refuse('The base URL is not a URL.', 'Write it like --base-url https://data.example.com', cause);
  }
}

/** Reads a base URL; what can't be one is an {@link AssayError} with the mend, exit code 3. */
export function parseBaseUrl(text: string): BaseUrl {
  const trimmed = text.trim();
  if (trimmed === '') refuse('The base URL is empty.', 'Write it like --base-url https://data.example.com');
  const url = parse(trimmed);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    refuse(
      `The base URL speaks ${url.protocol.slice(0, -1)}, not HTTP.`,
      'Give a base URL that begins with http:// or https://.',
    );
  }
  if (url.username !== '' || url.password !== '') {
    refuse(
      'The base URL carries a user name or a password.',
      'Leave them out: the service takes an API token, given by --token or ASSAY_TOKEN.',
    );
  }
  if (url.search !== '' || url.hash !== '') {
    refuse('The base URL carries a query or a fragment.', `Leave it out: --base-url ${url.origin}${url.pathname}`);
  }
  const path = url.pathname.replace(/\/+$/, '');
  return { href: url.origin + path, origin: url.origin, path };
}
