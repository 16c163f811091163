import { AssayError, EXIT } from '../spec/index.ts';

/** A parsed base URL. */
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

const EXAMPLE = 'Write it like --base-url https://data.example.com';

function parse(text: string): URL {
  const withoutScheme = /^(localhost|[\w.-]+\.[\w-]+|\[[0-9a-f:]+\])(:\d+)?(\/.*)?$/i;
  if (text === '') refuse('The base URL is empty.', EXAMPLE);
  if (withoutScheme.test(text))
    refuse(`The base URL "${text}" has no scheme.`, `Write --base-url http://${text} or https://${text}.`);
  try {
    return new URL(text);
  } catch (cause) {
    return refuse('The base URL is not a URL.', EXAMPLE, cause);
  }
}

/** Parses a base URL; throws an {@link AssayError} (exit code 3) if it is unusable. */
export function parseBaseUrl(text: string): BaseUrl {
  const { protocol, username, password, search, hash, origin, pathname } = parse(text.trim());
  if (protocol !== 'http:' && protocol !== 'https:')
    refuse(
      `The scheme of the base URL is ${protocol.slice(0, -1)}, not http or https.`,
      'Use a base URL that begins with http:// or https://.',
    );
  if (username !== '' || password !== '')
    refuse(
      'The base URL contains a user name or a password.',
      'Remove them: secrets are given by --token / ASSAY_TOKEN or, for HTTP Basic and keys, by ASSAY_CREDENTIAL_NAME.',
    );
  if (search !== '' || hash !== '')
    refuse('The base URL contains a query or a fragment.', `Remove it: --base-url ${origin}${pathname}`);
  const path = pathname.replace(/\/+$/, '');
  return { href: origin + path, origin, path };
}
