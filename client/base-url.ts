import { AssayError, EXIT } from '../spec/index.ts';

export interface BaseUrl {
  /** Without a slash at the end. */
  readonly href: string;
  readonly origin: string;
  /** Empty, or begins with a slash and ends without one. */
  readonly path: string;
}

/** Parses a base URL, which the options have validated, or which a log holds: throws an {@link AssayError} (exit code 3) if it is none. */
export function parseBaseUrl(text: string): BaseUrl {
  if (!URL.canParse(text))
    throw new AssayError('The base URL of the run is not a URL.', {
      hint: 'Set it with --base-url https://data.example.com.',
      exitCode: EXIT.unreachable,
    });
  const { origin, pathname } = new URL(text);
  const path = pathname.replace(/\/+$/, '');
  return { href: origin + path, origin, path };
}
