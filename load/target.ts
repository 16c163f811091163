import { AssayError, EXIT } from '../spec/index.ts';
import type { Endpoint } from './engines/messages.ts';

/** The deployment under load. */
export interface LoadTarget {
  /** What comes before `/api/…`; may have a path of its own. */
  readonly baseUrl: string;
  /** Sent in requests and never shown. */
  readonly token?: string;
  /** Accept untrusted certificates. */
  readonly insecure?: boolean;
  /** Trusted certificates, PEM. */
  readonly ca?: string;
}

export function endpointOf(target: LoadTarget): Endpoint {
  const url = new URL(target.baseUrl);
  const secure = url.protocol === 'https:';
  if (!secure && url.protocol !== 'http:') {
    throw new AssayError(`Unsupported protocol ${url.protocol}// in the base URL.`, {
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
