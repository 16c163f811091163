import { renderUrl, serialiseParameter } from '../../spec/index.ts';
import type { Method } from '../../spec/index.ts';
import type { RequestPlan } from '../plan.ts';

/** A plan made concrete. The headers still hold the names of tokens, not the tokens. */
export interface RenderedRequest {
  readonly method: Method;
  /** Path and query after the base URL. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

function renderHeaders(plan: RequestPlan): Record<string, string> {
  const headers: Record<string, string> = { accept: plan.accept ?? 'application/json', 'user-agent': 'assay' };
  if (plan.body?.type !== undefined) headers['content-type'] = plan.body.type;
  if (plan.authorization !== undefined) headers['authorization'] = plan.authorization;
  for (const [name, value] of Object.entries(plan.headers ?? {})) {
    const key = name.toLowerCase();
    if (value === undefined) delete headers[key];
    else headers[key] = value;
  }
  const cookies = [headers['cookie'] ?? '', ...cookiesOf(plan)].filter((each) => each !== '').join('; ');
  if (cookies !== '') headers['cookie'] = cookies;
  return headers;
}

function cookiesOf({ operation, cookies = {} }: RequestPlan): readonly string[] {
  return Object.entries(cookies).flatMap(([name, value]) => {
    const declared = operation.parameters.find((each) => each.in === 'cookie' && each.name === name);
    return declared === undefined ? [] : [serialiseParameter(declared, value)];
  });
}

function renderBody(content: string | Uint8Array): Buffer {
  if (typeof content === 'string') return Buffer.from(content);
  return Buffer.from(content.buffer, content.byteOffset, content.byteLength);
}

/** Turns a plan into a request. */
export function renderRequest(plan: RequestPlan): RenderedRequest {
  const method = plan.method ?? plan.operation.method;
  const common = { method, target: renderUrl(plan), headers: renderHeaders(plan) };
  return plan.body === undefined ? common : { ...common, body: renderBody(plan.body.content) };
}
