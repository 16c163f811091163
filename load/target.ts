import { AssayError, EXIT } from '../spec/index.ts';
import type { Endpoint } from './engines/messages.ts';

/** The deployment that gets the load. */
export interface LoadTarget {
  /** What comes before `/api/…`; may have a path of its own. */
  readonly baseUrl: string;
  /** Goes on the wire and nowhere else. */
  readonly token?: string;
  /** Accept a certificate that nobody vouches for. */
  readonly insecure?: boolean;
  /** Certificates to trust, PEM. */
  readonly ca?: string;
}

export function endpointOf(target: LoadTarget): Endpoint {
  const url = new URL(target.baseUrl);
  const secure = url.protocol === 'https:';
  if (!secure && url.protocol !== 'http:') {
    throw new AssayError(`Load can't be sent to ${url.protocol}//.`, {
      hint: 'Give --base-url an http:// or https:// URL.',
      exitCode: EXIT.usage,
    });
  }
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (secure ? 443 : 80),
    secure,
    insecure: target.insecure === true,
    ...(target.ca === undefined ? {} : { ca: target.ca }),
  };
}
