import { empty, parsed, succeeded, text, wait, withHeader } from '../proxy/edit.ts';
import type { Make, Reply } from '../proxy/message.ts';
import { every } from './json.ts';
import { passThrough } from '../proxy/compose.ts';
import { variation } from './variation.ts';
import type { Variation } from './variation.ts';

const HTTP = 'HTTP (RFC 9110, 9112)';
const page = (status: number): Reply =>
  text(
    `<!DOCTYPE html>\r\n<html><head><title>${status}</title></head><body><h1>Error ${status}</h1></body></html>`,
    'text/html',
    status,
  );
const isJson = (reply: Reply): boolean => String(reply.headers['content-type'] ?? '').startsWith('application/json');

/** Whole numbers in other forms, which mean the same. */
const respelled = (spell: (digits: string) => string): Make =>
  every((reply) => {
    if (!isJson(reply) || !succeeded(reply) || parsed(reply) === undefined) return reply;
    const body = reply.body
      .toString()
      .replaceAll(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token) =>
        /^-?\d+$/.test(token) ? spell(token) : token,
      );
    return { ...reply, body: Buffer.from(body) };
  });

/** As the framework writes a text where no media type was asked for: passThrough, without quotes. */
const unquoted = (accepts: RegExp): Make =>
  every((reply, call) => {
    const value = parsed(reply);
    return succeeded(reply) && typeof value === 'string' && accepts.test(call.headers['accept'] ?? '*/*')
      ? text(value)
      : reply;
  });

/** The times that the service sets, not the texts of callers that look like times. */
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

export const WIRE: readonly Variation[] = [
  variation(
    'http-1.0-like',
    `${HTTP}: a body may end with the connection`,
    every((reply) => ({ ...reply, wire: 'until-close' })),
  ),
  variation(
    'trickling',
    `${HTTP}: a body may come in many parts`,
    every((reply) => ({ ...reply, wire: 'trickle' })),
  ),
  variation(
    'early-hints',
    `${HTTP}: 1xx may come before an answer`,
    every((reply) => ({ ...reply, wire: 'hinted' })),
  ),
  variation('idle-connections-closed', `${HTTP}: a server may close an idle connection at any time`, passThrough, {
    idleMs: 1000,
  }),
  variation(
    'errors-as-html',
    'the shape of an error body is not shown (api.md 7)',
    every((reply) =>
      reply.status >= 400
        ? {
            ...page(reply.status),
            headers: {
              ...page(reply.status).headers,
              ...('retry-after' in reply.headers ? { 'retry-after': reply.headers['retry-after'] } : {}),
            },
          }
        : reply,
    ),
  ),
  variation(
    'numbers-with-fraction',
    '1.0 is an integer (JSON Schema 2020-12, 6.1.1)',
    respelled((digits) => `${digits}.0`),
  ),
  variation(
    'numbers-with-exponent',
    '1e0 is an integer (JSON Schema 2020-12, 6.1.1)',
    respelled((digits) => `${digits}E+0`),
  ),
  variation('texts-unquoted', 'responses are offered as text/plain (api.md 4)', unquoted(/text\/plain|\*\/\*|^$/)),
  variation(
    'created-with-location',
    '201 resource created (api.md 7)',
    every((reply, call) =>
      call.method === 'POST' &&
      succeeded(reply) &&
      /^(?:POST \/(?:accesscontrolpolicies|aiagent|aijob))$/.test(call.route?.id ?? '')
        ? withHeader({ ...reply, status: 201 }, 'location', `${call.path}/1`)
        : reply,
    ),
  ),
  variation('not-acceptable-406', 'what is not offered need not be answered', () => (call, next) => {
    const accept = call.headers['accept'] ?? '*/*';
    return /json|text\/plain|\*\/\*|text\/\*|application\/\*/i.test(accept) || accept === '' ? next() : empty(406);
  }),
  variation(
    'clock-an-hour-ahead',
    'whose clock is right is not shown',
    every((reply) =>
      withHeader(isJson(reply) ? anHourLater(reply) : reply, 'date', new Date(Date.now() + 3_600_000).toUTCString()),
    ),
  ),
  variation('every-answer-150-ms', 'response times: not shown', () => async (_, next) => {
    await wait(150);
    return next();
  }),
];
