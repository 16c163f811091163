import { renderUrl, serialiseParameter, writeBody } from '../../spec/index.ts';
import type { Method, Operation } from '../../spec/index.ts';
import { formOf, methodOf } from '../request-spec.ts';
import type { Payload, RequestSpec } from '../request-spec.ts';

/** A request made concrete. The headers still hold the names of tokens, not the tokens. */
export interface RenderedRequest {
  readonly method: Method;
  /** Path and query after the base URL. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

/** By their names in lower case. */
type Headers = Readonly<Record<string, string>>;

/** The media type in which an operation takes a body that is given as a value. */
export type BodyTypeOf = (operation: Operation) => string;

/** Asking for JSON where the description offers none would be a mistake of the client. */
function acceptOf({ responses }: Operation): string {
  const offered = responses.find(({ status }) => status.startsWith('2'))?.content ?? [];
  return offered.length === 0 || offered.some(({ type }) => /json|\*/.test(type)) ? 'application/json' : '*/*';
}

function renderHeaders(spec: RequestSpec, payload: Payload | undefined, extra: Headers): Record<string, string> {
  const headers: Record<string, string> = {
    accept: spec.accept ?? acceptOf(spec.operation),
    'user-agent': 'assay',
    ...extra,
  };
  if (payload?.type !== undefined) headers['content-type'] = payload.type;
  if (spec.authorization !== undefined) headers['authorization'] = spec.authorization;
  for (const [name, value] of Object.entries(spec.headers ?? {})) {
    const key = name.toLowerCase();
    if (value === undefined) delete headers[key];
    else headers[key] = value;
  }
  const cookies = [headers['cookie'] ?? '', ...cookiesOf(spec)].filter((each) => each !== '').join('; ');
  if (cookies !== '') headers['cookie'] = cookies;
  return headers;
}

function cookiesOf({ operation, cookies = {} }: RequestSpec): readonly string[] {
  return Object.entries(cookies).flatMap(([name, value]) => {
    const declared = operation.parameters.find((each) => each.in === 'cookie' && each.name === name);
    return declared === undefined ? [] : [serialiseParameter(declared, value)];
  });
}

function payloadOf({ operation, body, json }: RequestSpec, bodyTypeOf: BodyTypeOf): Payload | undefined {
  return json === undefined ? body : writeBody(bodyTypeOf(operation), json);
}

function bytesOf(content: string | Uint8Array): Buffer {
  if (typeof content === 'string') return Buffer.from(content);
  return Buffer.from(content.buffer, content.byteOffset, content.byteLength);
}

/** Turns a spec into a request; `extra` are headers that every request has. */
export function renderRequest(spec: RequestSpec, bodyTypeOf: BodyTypeOf, extra: Headers = {}): RenderedRequest {
  const payload = payloadOf(spec, bodyTypeOf);
  const url = renderUrl({ ...spec, form: formOf(spec) });
  const common = { method: methodOf(spec), target: url, headers: renderHeaders(spec, payload, extra) };
  return payload === undefined ? common : { ...common, body: bytesOf(payload.content) };
}
