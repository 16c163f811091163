import { empty, json, parsed, succeeded, text, withHeader } from '../proxy/reply.ts';
import type { Call, Make, Reply } from '../proxy/message.ts';
import { every, refuse } from './changes.ts';
import { passThrough } from '../proxy/compose.ts';
import { variation } from './variation.ts';
import type { Variation } from './variation.ts';

const HTTP = 'HTTP (RFC 9110, 9112)';

/** An error page of a gateway. */
export const htmlPage = (status: number): Reply =>
  text(
    `<!DOCTYPE html>\r\n<html><head><title>${status}</title></head><body><h1>Error ${status}</h1></body></html>`,
    'text/html',
    status,
  );
const isJson = (reply: Reply): boolean => String(reply.headers['content-type'] ?? '').startsWith('application/json');

/** Integers in another notation. */
const integersAs = (notation: (digits: string) => string): Make =>
  every((reply) => {
    if (!isJson(reply) || !succeeded(reply) || parsed(reply) === undefined) return reply;
    const body = reply.body
      .toString()
      .replaceAll(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token) =>
        /^-?\d+$/.test(token) ? notation(token) : token,
      );
    return { ...reply, body: Buffer.from(body) };
  });

/** Texts without quotes as text/plain, if the request accepts that: the default of the framework. */
const unquoted: Make = every((reply, call) => {
  const value = parsed(reply);
  const isAccepted = /text\/plain|\*\/\*|^$/.test(call.headers['accept'] ?? '*/*');
  return succeeded(reply) && typeof value === 'string' && isAccepted ? text(value) : reply;
});

/** Moves the timestamps of the service; texts of callers that look like timestamps stay. */
const anHourLater = (reply: Reply): Reply => ({
  ...reply,
  body: Buffer.from(
    reply.body
      .toString()
      .replaceAll(
        /("(?:createdAt|modifiedAt|startedAt|completedAt)"\s*:\s*)"(\d{4}-\d\d-\d\dT[\d:.]+Z)"/g,
        (_, name: string, at: string) => `${name}"${new Date(Date.parse(at) + 3_600_000).toISOString()}"`,
      ),
  ),
});

/** Texts and lengths of requests that a firewall takes for an attack. */
const isSuspicious = ({ query, body }: Call): boolean =>
  /<[a-z!/]|%3C[a-z!/]|\.\.\/|%2E%2E|\\u00[01]/iu.test(`${query} ${body.toString()}`) || body.length > 8192;

const firewall = (name: string, page: Reply): Variation =>
  variation(
    name,
    'a firewall in front of the service answers in place of it; maximum body size: not shown (api.md 8)',
  ).by(
    refuse(isSuspicious, page),
    // An order that repeats the names of others would be refused too.
    { decides: 'markup in names' },
  );

/** Notations and transport of responses. */
export const WIRE: readonly Variation[] = [
  variation('http-1.0-like', `${HTTP}: a body may end with the connection`).replies((reply) => ({
    ...reply,
    wire: 'until-close',
  })),
  variation('trickling', `${HTTP}: a body may come in many parts`).replies((reply) => ({ ...reply, wire: 'trickle' })),
  variation('early-hints', `${HTTP}: 1xx may come before an answer`).replies((reply) => ({ ...reply, wire: 'hinted' })),
  variation('idle-connections-closed', `${HTTP}: a server may close an idle connection at any time`).by(passThrough, {
    idleMs: 1000,
  }),
  variation('errors-as-html', 'the shape of an error body is not shown (api.md 7)').replies((reply) =>
    reply.status >= 400
      ? {
          ...htmlPage(reply.status),
          headers: {
            ...htmlPage(reply.status).headers,
            ...('retry-after' in reply.headers ? { 'retry-after': reply.headers['retry-after'] } : {}),
          },
        }
      : reply,
  ),
  variation('paths-in-capitals-answered-by-a-catch-all', 'a catch-all GET /{id} exists (platform.md)').by(
    () => (call, next) => (call.path.startsWith('/API') ? json({ message: 'see the documentation' }) : next()),
  ),
  variation('numbers-with-fraction', '1.0 is an integer (JSON Schema 2020-12, 6.1.1)').by(
    integersAs((digits) => `${digits}.0`),
  ),
  variation('numbers-with-exponent', '1e0 is an integer (JSON Schema 2020-12, 6.1.1)').by(
    integersAs((digits) => `${digits}E+0`),
  ),
  variation('texts-unquoted', 'responses are offered as text/plain (api.md 4)').by(unquoted),
  firewall('firewall-page-403', htmlPage(403)),
  firewall('firewall-text-406', text('Request blocked. Support id: 7301', 'text/plain', 406)),
  variation('not-acceptable-406', 'media types that are not offered may be refused').by(() => (call, next) => {
    const accept = call.headers['accept'] ?? '*/*';
    return /json|text\/plain|\*\/\*|text\/\*|application\/\*/i.test(accept) || accept === '' ? next() : empty(406);
  }),
  variation('clock-an-hour-ahead', 'the clock of the service may differ').replies((reply) =>
    withHeader(anHourLater(reply), 'date', new Date(Date.now() + 3_600_000).toUTCString()),
  ),
];
