import { AssayError, EXIT } from '../spec/index.ts';
import { COUNTER_DIGITS, fieldFront } from './engines/traffic.ts';
import type { Traffic } from './engines/traffic.ts';
import type { PreparedScenario, ScenarioRequest } from './scenarios/scenario.ts';
import type { LoadTarget } from './target.ts';

export const DEFAULT_FIELD_WIDTH = 12;

/** The label of a request in the results. */
export function partLabel(request: ScenarioRequest): string {
  return request.part ?? request.operation;
}

function headOf(request: ScenarioRequest, target: LoadTarget): string {
  const url = new URL(target.baseUrl);
  const base = url.pathname.replace(/\/+$/, '');
  const headers: Record<string, string> = {
    host: url.host,
    accept: 'application/json',
    ...(target.token === undefined ? {} : { authorization: `Bearer ${target.token}` }),
    ...(request.body ? { 'content-type': request.contentType ?? 'application/json' } : {}),
    ...(request.body || request.method === 'POST' || request.method === 'PUT'
      ? { 'content-length': String(request.body?.length ?? 0) }
      : {}),
    ...request.headers,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${request.method} ${base}${request.path} HTTP/1.1\r\n${lines.join('')}\r\n`;
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
  target: LoadTarget,
  front: Buffer,
  width: number,
): { bytes: Buffer; fields: number[] } {
  checkFields(request, width);
  const head = Buffer.from(headOf(request, target), 'latin1');
  const bytes = Buffer.concat([head, request.body ?? Buffer.alloc(0)]);
  const fields = (request.fields ?? []).map((offset) => head.length + offset);
  for (const field of fields) {
    bytes.fill(48, field, field + width);
    front.copy(bytes, field);
  }
  return { bytes, fields };
}

/** Encodes the requests of a scenario as HTTP/1.1. */
export function encodeTraffic(prepared: PreparedScenario, target: LoadTarget, runId: string): Traffic {
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
  const encoded = prepared.requests.map((request) => encode(request, target, front, width));
  const starts = new Uint32Array(encoded.length + 1);
  encoded.forEach(({ bytes }, index) => (starts[index + 1] = (starts[index] as number) + bytes.length));
  return {
    bytes: new Uint8Array(Buffer.concat(encoded.map(({ bytes }) => bytes))),
    starts,
    fields: encoded.map(({ fields }) => fields),
    fieldWidth: width,
    accepts: prepared.requests.map(({ accepts }) => accepts ?? []),
    partOf: prepared.requests.map((request) => labels.indexOf(partLabel(request))),
    parts: labels.map((label) => ({ label, weight: prepared.weights?.[label] ?? 1 })),
  };
}
