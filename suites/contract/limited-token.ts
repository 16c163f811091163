import { isObject, isSuccess } from '../../spec/index.ts';
import type { Contract, Json, Operation, Parameter } from '../../spec/index.ts';
import type { RequestSpec, TestContext } from '../kit/context.ts';
import { parameterSchema } from '../kit/schema-parts.ts';
import { inOtherTypes, refusesOtherSpellings } from './other-spellings.ts';
import { isJudgedElsewhere, reportStatus, statusOf } from './violations.ts';
import type { StatusRule } from './violations.ts';

/** Values of parameters in the query of a GET: numbers, booleans, texts and maps; undefined where it has none. */
export function queryOf(contract: Contract, { method, parameters }: Operation): RequestSpec['query'] {
  if (method !== 'GET') return undefined;
  const valueOf = (parameter: Parameter): Json | undefined => {
    const { type, format, additionalProperties } = parameterSchema(contract, parameter);
    if (type === 'boolean') return true;
    if (type === 'integer') return 1;
    if (type === 'string' && format === undefined) return 'assay';
    const isMapOfTexts = isObject(additionalProperties) && additionalProperties['type'] === 'string';
    return parameter.style === 'deepObject' && isMapOfTexts ? { assay: 'assay' } : undefined;
  };
  const values = parameters
    .filter((each) => each.in === 'query')
    .map((each) => [each.name, valueOf(each)] as const)
    .filter(([, value]) => value !== undefined);
  return values.length === 0 ? undefined : Object.fromEntries(values);
}

/** The request, and where it must be refused, other ways to make it: with query parameters, and with its body in another media type. */
function waysToAsk(t: TestContext, operation: Operation, request: RequestSpec): readonly RequestSpec[] {
  if (operation.permission === 'any' || !t.knowledge.guarantees('statuses', operation)) return [request];
  const query = queryOf(t.contract, operation);
  return [
    request,
    ...(query === undefined ? [] : [{ ...request, query: { ...request.query, ...query } }]),
    ...inOtherTypes(operation, request).map(({ way }) => way),
    // The permission may be looked up for each entry of a list.
    ...(Array.isArray(request.json) && operation.path.includes('{') ? [{ ...request, json: [] }] : []),
  ];
}

/** Has a read served to the full token: a cache must not serve the response to others. */
export async function serveOnce(t: TestContext, operation: Operation, request: RequestSpec): Promise<void> {
  if (operation.method === 'GET') await t.sendQuietly(operation, { ...request, label: 'the same with the full token' });
}

/** True where the limited token was refused as documented, in whatever way it was used. */
export async function judgesPermission(t: TestContext, operation: Operation, request: RequestSpec): Promise<boolean> {
  if (t.session.options.tokens.limited === undefined) t.skip('no limited token was given (--limited-token)');
  await serveOnce(t, operation, request);
  for (const way of waysToAsk(t, operation, request)) if (!(await judgesLimited(t, operation, way))) return false;
  if (operation.permission === 'any') return false;
  if (operation.method === 'GET' && t.knowledge.guarantees('statuses', operation))
    await refusesOtherSpellings(t, operation, request, 'limited');
  return true;
}

/** False where the limited token was not answered as documented, which is reported. */
async function judgesLimited(t: TestContext, operation: Operation, request: RequestSpec): Promise<boolean> {
  const exchange = await t.send(operation, { ...request, identity: 'limited', label: 'with the limited token' });
  const status = statusOf(exchange);
  const isOpen = operation.permission === 'any';
  // contract/bodies judges whether the media type is accepted.
  if (status === 415 && request.body !== undefined) return true;
  if (isJudgedElsewhere(status) || (isOpen ? isSuccess(status) : status === 403)) return true;
  const isEmpty = Array.isArray(request.json) && request.json.length === 0;
  const body =
    request.body === undefined ? (isEmpty ? ' and an empty list' : '') : ` and a body of type ${request.body.type}`;
  const rule: StatusRule = isOpen
    ? {
        code: 'authorisation/refused',
        requirement: 'auth.any-token',
        request: 'a valid token',
        expected: 'a success, since no permission is required',
      }
    : {
        code: 'authorisation/status',
        served: 'authorisation/accepted',
        requirement: 'auth.lacking-permission',
        request: `a token without the permission ${operation.permission}${body}`,
        expected: 'status 403',
      };
  reportStatus(t, operation, exchange, rule);
  return false;
}
