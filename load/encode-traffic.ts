import type { BaseUrl } from '../client/base-url.ts';
import { baseFinder, proxyAuthorization, proxyOf } from '../client/connection.ts';
import { AssayError, EXIT } from '../spec/index.ts';
import type { Operation } from '../spec/index.ts';
import { secretsOf } from './authentication.ts';
import { COUNTER_DIGITS, fieldFront } from './engines/traffic.ts';
import type { Series, Traffic } from './engines/traffic.ts';
import type { PreparedScenario, ScenarioRequest } from './scenarios/scenario.ts';
import type { LoadTarget } from './target.ts';

export const DEFAULT_FIELD_WIDTH = 12;

/** The label of a request in the results. */
export function partLabel(request: ScenarioRequest): string {
  return request.part ?? request.operation;
}

/** A proxy of plain HTTP takes the whole URL, and its password in each request. */
function proxyParts(origin: string, target: LoadTarget): { prefix: string; headers: Record<string, string> } {
  const proxy = origin.startsWith('http:') ? proxyOf(origin, target) : undefined;
  if (proxy === undefined) return { prefix: '', headers: {} };
  const authorization = proxyAuthorization(proxy);
  return { prefix: origin, headers: authorization === undefined ? {} : { 'proxy-authorization': authorization } };
}

/** The token that requests carry now. */
function tokenOf({ token, renewal }: LoadTarget): string | undefined {
  return renewal?.current ?? token;
}

function headOf(request: ScenarioRequest, base: BaseUrl, target: LoadTarget, operation: Operation | undefined): string {
  const proxy = proxyParts(base.origin, target);
  const secrets = secretsOf(target, operation);
  const token = secrets.sendsToken ? tokenOf(target) : undefined;
  const headers: Record<string, string> = {
    host: new URL(base.origin).host,
    accept: 'application/json',
    ...target.headers,
    ...secrets.headers,
    ...proxy.headers,
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(request.body ? { 'content-type': request.contentType ?? 'application/json' } : {}),
    ...(request.body || request.method === 'POST' || request.method === 'PUT'
      ? { 'content-length': String(request.body?.length ?? 0) }
      : {}),
    ...request.headers,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${request.method} ${proxy.prefix}${base.path}${secrets.target(request.path)} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

function checkFields(request: ScenarioRequest, width: number): void {
  const size = request.body?.length ?? 0;
  const bad = request.fields?.find((offset) => offset < 0 || offset + width > size);
  if (bad === undefined) return;
  throw new AssayError(
    `A request of ${request.operation} has a unique field at ${bad}, outside its body of ${size} bytes.`,
    { hint: `Each offset in "fields" points at ${width} bytes of the body ("fieldWidth").`, exitCode: EXIT.usage },
  );
}

function encode(
  request: ScenarioRequest,
  base: BaseUrl,
  target: LoadTarget,
  operation: Operation | undefined,
  { front, width }: { readonly front: Buffer; readonly width: number },
): { bytes: Buffer; fields: number[] } {
  checkFields(request, width);
  const head = Buffer.from(headOf(request, base, target, operation), 'latin1');
  const bytes = Buffer.concat([head, request.body ?? Buffer.alloc(0)]);
  const fields = (request.fields ?? []).map((offset) => head.length + offset);
  for (const field of fields) {
    bytes.fill(48, field, field + width);
    front.copy(bytes, field);
  }
  return { bytes, fields };
}

/** What requests are counted by: the part and the operation. */
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

/** The part's only origin: connections to one cannot send what belongs to another. */
function originOfPart(label: string, origins: readonly string[]): string {
  const [first = '', second] = new Set(origins);
  if (second === undefined) return first;
  throw new AssayError(`The requests of part ${label} go to both ${first} and ${second}.`, {
    hint: 'Give each its own part in the scenario, or the same base URL in "bases" of the configuration.',
    exitCode: EXIT.usage,
  });
}

/** Encodes the requests of a scenario as HTTP/1.1; `find` knows the operations of the description. */
export function encodeTraffic(
  prepared: PreparedScenario,
  target: LoadTarget,
  runId: string,
  find: (id: string) => Operation | undefined = () => undefined,
): Traffic {
  const width = prepared.fieldWidth ?? DEFAULT_FIELD_WIDTH;
  const hint = { exitCode: EXIT.usage };
  if (prepared.requests.length === 0)
    throw new AssayError('The scenario has no requests.', {
      hint: 'setup() must return at least one request.',
      ...hint,
    });
  if (width <= COUNTER_DIGITS)
    throw new AssayError(`Unique fields of ${width} bytes are too short.`, {
      hint: `Use at least ${COUNTER_DIGITS + 1} bytes ("fieldWidth").`,
      ...hint,
    });
  const front = Buffer.from(fieldFront(runId, width));
  const labels = [...new Set(prepared.requests.map(partLabel))];
  const baseOf = baseFinder(target.baseUrl, target.bases);
  const bases = prepared.requests.map(({ operation: id }) => baseOf(find(id) ?? { id }));
  const originsOf = (label: string): string[] =>
    bases.flatMap(({ origin }, index) => (labelAt(index) === label ? [origin] : []));
  const labelAt = (index: number): string => partLabel(prepared.requests[index] as ScenarioRequest);
  const encoded = prepared.requests.map((request, index) =>
    encode(request, bases[index] as BaseUrl, target, find(request.operation), { front, width }),
  );
  const token = tokenOf(target);
  const starts = new Uint32Array(encoded.length + 1);
  encoded.forEach(({ bytes }, index) => (starts[index + 1] = (starts[index] as number) + bytes.length));
  return {
    bytes: new Uint8Array(Buffer.concat(encoded.map(({ bytes }) => bytes))),
    starts,
    fields: encoded.map(({ fields }) => fields),
    fieldWidth: width,
    accepts: prepared.requests.map(({ accepts }) => accepts ?? []),
    ...(token === undefined ? {} : { token }),
    ...seriesOf(prepared.requests),
    partOf: prepared.requests.map((request) => labels.indexOf(partLabel(request))),
    parts: labels.map((label) => ({
      label,
      weight: prepared.weights?.[label] ?? 1,
      origin: originOfPart(label, originsOf(label)),
    })),
  };
}
