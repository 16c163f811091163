import { startService } from '../start.ts';
import type { RunningService, ServiceOptions } from '../start.ts';

export interface Seen {
  readonly status: number;
  readonly type: string | null;
  readonly text: string;
  readonly headers: Headers;
  readonly json: unknown;
}

export interface Sending {
  readonly token?: string | null;
  readonly body?: unknown;
  /** Sent unchanged. */
  readonly raw?: string | Uint8Array;
  readonly type?: string;
  readonly accept?: string;
}

/** A client with the full token, by `METHOD /path`. */
export type Send = (request: string, sending?: Sending) => Promise<Seen>;

export function clientOf(service: RunningService): Send {
  return async (request, sending = {}) => {
    const [method = 'GET', path = ''] = request.split(' ');
    const headers = new Headers();
    const token = sending.token === undefined ? service.tokens.full : sending.token;
    if (token !== null) headers.set('authorization', `Bearer ${token}`);
    const body = sending.raw ?? (sending.body === undefined ? undefined : JSON.stringify(sending.body));
    if (body !== undefined) headers.set('content-type', sending.type ?? 'application/json');
    if (sending.accept !== undefined) headers.set('accept', sending.accept);
    const response = await fetch(service.baseUrl + path, { method, headers, ...(body === undefined ? {} : { body }) });
    const text = await response.text();
    const type = response.headers.get('content-type')?.split(';')[0] ?? null;
    return { status: response.status, type, text, headers: response.headers, json: parsed(text) };
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Runs a test against its own service. */
export async function withService<T>(
  options: ServiceOptions,
  test: (send: Send, service: RunningService) => Promise<T>,
): Promise<T> {
  const service = await startService(options);
  try {
    return await test(clientOf(service), service);
  } finally {
    await service.close();
  }
}
