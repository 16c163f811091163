/** A parsed base URL. */
export interface BaseUrl {
  /** Without a slash at the end. */
  readonly href: string;
  readonly origin: string;
  /** Empty, or begins with a slash and ends without one. */
  readonly path: string;
}

/** Parses a base URL, which the options have validated. */
export function parseBaseUrl(text: string): BaseUrl {
  const { origin, pathname } = new URL(text);
  const path = pathname.replace(/\/+$/, '');
  return { href: origin + path, origin, path };
}
