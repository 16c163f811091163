import { renderUrl, serialiseParameter, writeBody } from '../../spec/index.ts';
import type { Method, Operation } from '../../spec/index.ts';
import { formOf, methodOf } from '../request-spec.ts';
import type { Payload, RequestSpec } from '../request-spec.ts';
import { secretHeaders, withSecretQuery } from '../security.ts';

/** Path and query after the base URL, and the headers. */
export interface RequestHead {
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A rendered request. Secrets are variables, except in the part to send. */
export interface RenderedRequest extends RequestHead {
  readonly method: Method;
  readonly body?: Buffer;
  /** The same with the secrets filled in. */
  readonly wire: RequestHead;
}

type Headers = Readonly<Record<string, string>>;

/** The media type for a body given as a value. */
export type BodyTypeOf = (operation: Operation) => string;

/** JSON is requested only if the description offers it. */
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
    return declared === undefined || value === undefined ? [] : [serialiseParameter(declared, value)];
  });
}

function payloadOf({ operation, body, json }: RequestSpec, bodyTypeOf: BodyTypeOf): Payload | undefined {
  if (json === undefined) return body;
  const type = bodyTypeOf(operation);
  return writeBody(type, json, operation.body?.content.find((each) => each.type === type)?.files);
}

function bytesOf(content: string | Uint8Array): Buffer {
  if (typeof content === 'string') return Buffer.from(content);
  return Buffer.from(content.buffer, content.byteOffset, content.byteLength);
}

export interface RenderOptions {
  readonly bodyTypeOf: BodyTypeOf;
  readonly extra: Headers;
  readonly fill: (text: string) => string;
}

export function renderRequest(spec: RequestSpec, { bodyTypeOf, extra, fill }: RenderOptions): RenderedRequest {
  const payload = payloadOf(spec, bodyTypeOf);
  const url = renderUrl({ ...spec, form: formOf(spec) });
  const headers = renderHeaders(spec, payload, extra);
  const { credentials = [] } = spec;
  const headWith = (secrets?: (text: string) => string): RequestHead => ({
    target: withSecretQuery(url, credentials, secrets),
    headers: { ...headers, ...secretHeaders(credentials, headers['cookie'], secrets) },
  });
  const common = { method: methodOf(spec), ...headWith(), wire: headWith(fill) };
  return payload === undefined ? common : { ...common, body: bytesOf(payload.content) };
}
