import { isObject } from '../../spec/index.ts';
import type { Exchange } from '../../spec/index.ts';

/** Response headers with ids for logs and traces. */
const HEADERS: ReadonlySet<string> = new Set([
  'traceresponse',
  'x-request-id',
  'request-id',
  'x-correlation-id',
  'correlation-id',
  'x-trace-id',
  'x-ms-request-id',
  'apim-request-id',
  'x-amzn-requestid',
  'x-amzn-trace-id',
  'x-b3-traceid',
  'x-cloud-trace-context',
  'cf-ray',
]);

/** Members of an error body with such ids (RFC 9457 and common extensions). */
const MEMBERS = ['traceId', 'requestId', 'correlationId', 'operationId'] as const;

const LONGEST = 200;

function sentId({ request }: Exchange): string | undefined {
  return /^[0-9a-f]{2}-([0-9a-f]{32})-/.exec(request.headers['traceparent'] ?? '')?.[1];
}

/** Ids of an exchange in the logs and traces of the deployment, by name: those sent, then those received. */
export function traceIds(exchange: Exchange): Readonly<Record<string, string>> {
  const { response } = exchange;
  const sent = sentId(exchange);
  const fromHeaders = (response?.headers ?? []).filter(([name]) => HEADERS.has(name));
  const body = response !== undefined && response.status >= 400 && isObject(response.json) ? response.json : {};
  const fromBody = MEMBERS.flatMap((name) => {
    const value = body[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  const received = [...fromHeaders, ...fromBody].filter(([, id]) => id !== '' && id.length <= LONGEST);
  return { ...(sent === undefined ? {} : { trace: sent }), ...Object.fromEntries(received) };
}
