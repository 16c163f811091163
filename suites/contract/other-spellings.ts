import { randomUUID } from 'node:crypto';
import { isUuid } from '../../domain/items.ts';
import { concreteType } from '../../generators/index.ts';
import { isJsonType, isSuccess } from '../../spec/index.ts';
import type { Exchange, Method, Operation } from '../../spec/index.ts';
import type { RequestSpec, TestContext } from '../kit/context.ts';
import { JSON_TYPE } from '../kit/media-types.ts';
import { secretOf } from './secret-words.ts';
import { reportStatus, statusOf } from './violations.ts';

interface Spelling {
  readonly slug: string;
  readonly label: string;
  readonly path: string;
  readonly method?: Method;
}

const RULES = {
  none: { code: 'authentication/accepted', requirement: 'auth.missing', expected: 'status 401' },
  limited: { code: 'authorisation/accepted', requirement: 'auth.lacking-permission', expected: 'status 403' },
} as const;

/** A path in capitals or with a slash at its end may name the same resource, and HEAD tells what GET would: each needs a token. */
export async function refusesOtherSpellings(
  t: TestContext,
  operation: Operation,
  request: RequestSpec,
  identity: 'none' | 'limited',
): Promise<void> {
  const form = request.form ?? operation.forms[0];
  if (form === undefined) return;
  const capitals = form.path.replaceAll(/[^{}]+(?=\{|$)/g, (fixed) => fixed.toUpperCase());
  const what = identity === 'none' ? `a request without ${secretOf(operation)}` : 'a request with the limited token';
  const spellings: readonly Spelling[] = [
    { slug: 'capitals', label: `${what}, with the path in capitals`, path: capitals },
    { slug: 'slash', label: `${what}, with a slash at the end`, path: `${form.path}/` },
    { slug: 'head', label: `${what}, as HEAD`, path: form.path, method: 'HEAD' },
  ];
  const sendTo = ({ path, label, method = operation.method }: Omit<Spelling, 'slug'>): Promise<Exchange> =>
    t.sendQuietly({ ...operation, forms: [{ ...form, path }] }, { ...request, method, label, identity, valid: false });
  for (const { slug, label, ...spelling } of spellings) {
    const exchange = await sendTo({ ...spelling, label });
    // Some gateways answer unknown paths with an HTML page.
    if (!isSuccess(statusOf(exchange)) || exchange.response?.mediaType?.includes('json') !== true) continue;
    // Others answer any path with a success: then this one may be unknown too.
    const unknown = { ...spelling, path: `${spelling.path}-${randomUUID()}`, label: 'a path that does not exist' };
    if (isSuccess(statusOf(await sendTo(unknown)))) continue;
    const rule = { ...RULES[identity], slug: `${identity === 'none' ? 'no-token' : identity}-${slug}`, request: label };
    reportStatus(t, operation, exchange, rule);
  }
}

/** The request with its JSON body in each of the other media types that are documented for it. */
export function inOtherTypes(
  operation: Operation,
  { json, ...rest }: RequestSpec,
): readonly { readonly type: string; readonly way: RequestSpec }[] {
  const types = json === undefined ? [] : (operation.body?.content ?? []).map((each) => concreteType(each.type));
  return types
    .filter((type) => isJsonType(type) && type !== JSON_TYPE)
    .map((type) => ({ type, way: { ...rest, body: { type, content: JSON.stringify(json) } } }));
}

/** The same request with the body in another media type, and for ids that nothing has: each needs a token too. */
export function otherWays(operation: Operation, request: RequestSpec) {
  const uuids = Object.keys(request.path ?? {}).filter((name) => isUuid(request.path?.[name]));
  const path = { ...request.path, ...Object.fromEntries(uuids.map((name) => [name, randomUUID()])) };
  return [
    ...inOtherTypes(operation, request).map(({ type, way }) => ({
      name: type,
      words: `with a body of type ${type}`,
      way,
    })),
    ...(uuids.length === 0 ? [] : [{ name: 'unknown-id', words: 'for an unknown id', way: { ...request, path } }]),
  ];
}
