import { AssayError, EXIT } from '../spec/index.ts';
import type { Operation } from '../spec/index.ts';
import { parseBaseUrl } from './base-url.ts';
import type { BaseUrl } from './base-url.ts';

/** How a deployment is reached, besides its base URL. Plain data: it crosses into workers. */
export interface Connection {
  /** Accept certificates that can't be verified. */
  readonly insecure?: boolean | undefined;
  /** File with certificates (PEM) that are trusted besides the usual ones. */
  readonly ca?: string | undefined;
  /** Files with the certificate of the client and its key (PEM). */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Other base URLs, by a pattern of the operations that live there; the first that fits counts. */
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

/** What a pattern of `bases` is compared with. */
export type Located = Pick<Operation, 'id'> & Partial<Pick<Operation, 'forms'>>;

/** True where a pattern names an operation: its id, its path with or without the prefix of a form; `*` is a wildcard. */
export function namesOperation(pattern: string, { id, forms = [] }: Located): boolean {
  const glob = pattern
    .split('*')
    .map((text) => text.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join('.*');
  const whole = new RegExp(`^${glob}$`, 'i');
  return [id, id.replace(/^\S+ /, ''), ...forms.map(({ path }) => path)].some((name) => whole.test(name));
}

/** Finds the base URL of an operation. */
export type FindBase = (operation: Located) => BaseUrl;

/** Where each operation lives. An invalid base URL is an {@link AssayError} (exit code 3). */
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

/** An origin whose requests carry the token, and that is reached without TLS from another machine; undefined: there is none. */
export function plainTextOrigin(baseUrl: string, { bases = {} }: Connection): string | undefined {
  return [baseUrl, ...Object.values(bases)]
    .map((each) => new URL(each))
    .find(({ protocol, hostname }) => protocol === 'http:' && !isLoopback(hostname))?.origin;
}

function isLoopback(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/i.test(hostname);
}

/** The proxy between this machine and an origin. An invalid URL is an {@link AssayError} (exit code 3). */
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
