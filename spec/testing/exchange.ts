import type { Exchange, Json, Method } from '../index.ts';

/** What an exchange differs in from a read of `/` that was served with nothing. */
type Parts = Partial<Exchange> & {
  readonly method?: Method;
  readonly path?: string;
  readonly status?: number;
  readonly body?: string;
  readonly json?: Json;
};

/** An exchange with defaults, of the operation of its path. */
export function exchangeOf({ method = 'GET', path = '/', status = 200, json, body, ...parts }: Parts): Exchange {
  const received = Buffer.from(body ?? (json === undefined ? '' : JSON.stringify(json)));
  return {
    id: 'x1',
    operation: `${method} ${path}`,
    form: '/api',
    identity: 'full',
    sentAt: 0,
    durationMs: 1,
    attempts: 1,
    request: { method, url: `http://127.0.0.1/api${path}`, headers: {} },
    response: { status, headers: [], body: received, ...(json === undefined ? {} : { json }), truncated: false },
    ...parts,
  };
}
