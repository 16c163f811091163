import { AssayError, EXIT } from '../spec/index.ts';
import type { Operation } from '../spec/index.ts';
import { globExpression } from '../spec/escape.ts';
import { isLoopback } from '../spec/loopback.ts';
import { parseBaseUrl } from './base-url.ts';
import type { BaseUrl } from './base-url.ts';

/** How to reach a deployment, besides its base URL. Plain data: it is passed to worker threads. */
export interface Connection {
  readonly insecure?: boolean | undefined;
  /** File with certificates (PEM) that are trusted besides the usual ones. */
  readonly ca?: string | undefined;
  /** Files with the certificate of the client and its key (PEM). */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Other base URLs, by a pattern of their operations; the first match applies. */
  readonly bases?: Readonly<Record<string, string>> | undefined;
  /** The URL of a proxy by the origin that is reached through it. */
  readonly proxies?: Readonly<Record<string, string>> | undefined;
}

const CONNECTION_KEYS = [
  'insecure',
  'ca',
  'cert',
  'key',
  'headers',
  'bases',
  'proxies',
] as const satisfies readonly (keyof Connection)[];

/** The part of some options that concerns the connection. */
export function connectionOf(options: Connection): Connection {
  return Object.fromEntries(
    CONNECTION_KEYS.flatMap((key) => (options[key] === undefined ? [] : [[key, options[key]]])),
  );
}

/** The part of an operation that a pattern of `bases` is matched against. */
export type Located = Pick<Operation, 'id'> & Partial<Pick<Operation, 'forms'>>;

/** True if a pattern matches an operation: its id, or its path with or without the prefix of a form; `*` is a wildcard. */
export function namesOperation(pattern: string, { id, forms = [] }: Located): boolean {
  const whole = globExpression(pattern);
  return [id, id.replace(/^\S+ /, ''), ...forms.map(({ path }) => path)].some((name) => whole.test(name));
}

export type FindBase = (operation: Located) => BaseUrl;

/** Returns the base URL of each operation. */
export function baseFinder(baseUrl: string, bases: Connection['bases'] = {}): FindBase {
  const base = parseBaseUrl(baseUrl);
  const others = Object.entries(bases).map(([pattern, url]) => [pattern, parseBaseUrl(url)] as const);
  if (others.length === 0) return () => base;
  const known = new Map<string, BaseUrl>();
  return (operation) => {
    const found = known.get(operation.id);
    if (found !== undefined) return found;
    const chosen = others.find(([pattern]) => namesOperation(pattern, operation))?.[1] ?? base;
    known.set(operation.id, chosen);
    return chosen;
  };
}

/** A remote origin that would receive the token without TLS, if there is one. */
export function plainTextOrigin(baseUrl: string, { bases = {} }: Connection): string | undefined {
  return [baseUrl, ...Object.values(bases)]
    .map((each) => new URL(each))
    .find(({ protocol, hostname }) => protocol === 'http:' && !isLoopback(hostname))?.origin;
}

/** The proxy for an origin. Throws an {@link AssayError} (exit code 3) for an invalid URL. */
export function proxyOf(origin: string, { proxies = {} }: Connection): URL | undefined {
  const text = proxies[origin];
  if (text === undefined) return undefined;
  if (URL.canParse(text)) return new URL(text);
  throw new AssayError('The URL of the proxy is not a URL.', {
    hint: 'Write HTTPS_PROXY and HTTP_PROXY like http://proxy.example.com:3128.',
    exitCode: EXIT.unreachable,
  });
}

/** The value of Proxy-Authorization for the user name and password of a proxy's URL. */
export function proxyAuthorization({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined;
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(text).toString('base64')}`;
}
