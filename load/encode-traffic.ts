import type { BaseUrl } from '../client/base-url.ts';
import { baseFinder, proxyAuthorization, proxyOf } from '../client/connection.ts';
import { usageError } from '../spec/index.ts';
import type { Operation } from '../spec/index.ts';
import { secretsOf } from './authentication.ts';
import { headerLines, isValidHead } from './engines/request-head.ts';
import { COUNTER_DIGITS, fieldFront } from './engines/traffic.ts';
import type { Series, Traffic } from './engines/traffic.ts';
import type { PreparedScenario, ScenarioRequest } from './scenarios/scenario.ts';
import type { LoadTarget } from './target.ts';

export const DEFAULT_FIELD_WIDTH = 12;

export function partLabel(request: ScenarioRequest): string {
  return request.part ?? request.operation;
}

/** A proxy for plain HTTP needs the whole URL, and its credentials in each request. */
function proxyParts(origin: string, target: LoadTarget): { prefix: string; headers: Record<string, string> } {
  const proxy = origin.startsWith('http:') ? proxyOf(origin, target) : undefined;
  if (proxy === undefined) return { prefix: '', headers: {} };
  const authorization = proxyAuthorization(proxy);
  return { prefix: origin, headers: authorization === undefined ? {} : { 'proxy-authorization': authorization } };
}

/** What every request to a base URL begins with: the part before its path, and headers. */
export function commonHead(
  { origin, path }: BaseUrl,
  target: LoadTarget,
): { readonly prefix: string; readonly headers: Readonly<Record<string, string>>[] } {
  const proxy = proxyParts(origin, target);
  const common = { host: new URL(origin).host, accept: 'application/json' };
  return { prefix: proxy.prefix + path, headers: [common, target.headers ?? {}, proxy.headers] };
}

/** The token that requests carry at the start of a run. */
export function tokenOf({ token, renewal }: LoadTarget): string | undefined {
  return renewal?.current ?? token;
}

const SENDS_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

function headOf(request: ScenarioRequest, base: BaseUrl, target: LoadTarget, operation: Operation | undefined): string {
  const { method, body, contentType = 'application/json' } = request;
  const { prefix, headers } = commonHead(base, target);
  const secrets = secretsOf(target, operation);
  const token = secrets.sendsToken ? tokenOf(target) : undefined;
  const lines = headerLines(
    ...headers,
    secrets.headers,
    token === undefined ? {} : { authorization: `Bearer ${token}` },
    body ? { 'content-type': contentType } : {},
    body || SENDS_BODY.has(method) ? { 'content-length': String(body?.length ?? 0) } : {},
    request.headers ?? {},
  );
  const head = `${method} ${prefix}${secrets.target(request.path)} HTTP/1.1\r\n${lines}`;
  if (isValidHead(head)) return `${head}\r\n`;
  throw usageError(
    `The path or a header of a request of ${request.operation} has characters that HTTP does not allow.`,
    'Encode the path, for example with encodeURIComponent(), and use ASCII characters in headers.',
  );
}

function checkFields(request: ScenarioRequest, width: number): void {
  const size = request.body?.length ?? 0;
  const bad = request.fields?.find((offset) => offset < 0 || offset + width > size);
  if (bad === undefined) return;
  throw usageError(
    `A request of ${request.operation} has a unique field at ${bad}, outside its body of ${size} bytes.`,
    `Each offset in "fields" is the start of ${width} bytes of the body ("fieldWidth").`,
  );
}

function encode(
  request: ScenarioRequest,
  head: Buffer,
  { front, width }: { readonly front: Buffer; readonly width: number },
): { bytes: Buffer; fields: number[] } {
  const bytes = Buffer.concat([head, request.body ?? Buffer.alloc(0)]);
  const fields = (request.fields ?? []).map((offset) => head.length + offset);
  for (const field of fields) {
    bytes.fill(48, field, field + width);
    front.copy(bytes, field);
  }
  return { bytes, fields };
}

function seriesOf(requests: readonly ScenarioRequest[]): Pick<Traffic, 'series' | 'seriesOf'> {
  const series = new Map<string, Series & { readonly index: number }>();
  const indices = requests.map((request) => {
    const [part, { operation }] = [partLabel(request), request];
    const key = JSON.stringify([part, operation]);
    const known = series.get(key) ?? { part, operation, index: series.size };
    series.set(key, known);
    return known.index;
  });
  return { series: [...series.values()].map(({ part, operation }) => ({ part, operation })), seriesOf: indices };
}

/** The origin of all requests of a part: a connection leads to one origin. */
function originOfPart(label: string, origins: ReadonlySet<string>): string {
  const [first = '', second] = origins;
  if (second === undefined) return first;
  throw usageError(
    `The requests of part ${label} go to both ${first} and ${second}.`,
    'Give each its own part in the scenario, or the same base URL in "bases" of the configuration.',
  );
}

function checkPrepared({ requests, weights = {} }: PreparedScenario, labels: readonly string[], width: number): void {
  if (requests.length === 0)
    throw usageError('The scenario has no requests.', 'setup() must return at least one request.');
  if (width <= COUNTER_DIGITS)
    throw usageError(
      `Unique fields of ${width} bytes are too short.`,
      `Use at least ${COUNTER_DIGITS + 1} bytes ("fieldWidth").`,
    );
  const wrong = Object.entries(weights).filter(([label, weight]) => !labels.includes(label) || !(weight >= 0));
  if (wrong.length > 0)
    throw usageError(
      `Invalid weights: ${wrong.map(([label, weight]) => `${label}: ${weight}`).join(', ')}.`,
      `Weights must be 0 or greater; parts of this scenario: ${labels.join(', ')}.`,
    );
  if (labels.every((label) => weights[label] === 0))
    throw usageError('Every part of the scenario has the weight 0.', 'Give at least one part a weight above 0.');
  for (const request of requests) checkFields(request, width);
}

/** Encodes the requests of a scenario as HTTP/1.1. @param find finds an operation of the description. */
export function encodeTraffic(
  prepared: PreparedScenario,
  target: LoadTarget,
  runId: string,
  find: (id: string) => Operation | undefined = () => undefined,
): Traffic {
  const { requests, weights = {}, fieldWidth: width = DEFAULT_FIELD_WIDTH } = prepared;
  const labels = [...new Set(requests.map(partLabel))];
  checkPrepared(prepared, labels, width);
  const front = Buffer.from(fieldFront(runId, width));
  const baseOf = baseFinder(target.baseUrl, target.bases);
  const origins = new Map(labels.map((label) => [label, new Set<string>()]));
  const encoded = requests.map((request) => {
    const operation = find(request.operation);
    const base = baseOf(operation ?? { id: request.operation });
    origins.get(partLabel(request))?.add(base.origin);
    return encode(request, Buffer.from(headOf(request, base, target, operation), 'latin1'), { front, width });
  });
  const starts = new Uint32Array(encoded.length + 1);
  encoded.forEach(({ bytes }, index) => (starts[index + 1] = (starts[index] as number) + bytes.length));
  const token = tokenOf(target);
  return {
    bytes: new Uint8Array(Buffer.concat(encoded.map(({ bytes }) => bytes))),
    starts,
    fields: encoded.map(({ fields }) => fields),
    fieldWidth: width,
    accepts: requests.map(({ accepts }) => accepts ?? []),
    ...(token === undefined ? {} : { token }),
    ...seriesOf(requests),
    partOf: requests.map((request) => labels.indexOf(partLabel(request))),
    parts: labels.map((label) => ({
      label,
      weight: weights[label] ?? 1,
      origin: originOfPart(label, origins.get(label) ?? new Set()),
    })),
  };
}
