import { create } from '../../domain/create.ts';
import { randomUUID } from 'node:crypto';
import { isObject, isServed, listIn } from '../../spec/index.ts';
import type { Exchange, Form, Json, Operation } from '../../spec/index.ts';
import { requestToRefuse, sendValid, validRequest } from '../../domain/requests.ts';
import { idOf, itemsIn, sameId } from '../../domain/items.ts';
import { walk } from '../../domain/read-list.ts';
import { Skip } from '../kit/context.ts';
import type { RequestSpec, TestContext } from '../kit/context.ts';
import { recordOf } from './response.ts';
import type { RecordedResponse } from './response.ts';
import { withoutValues } from './shape.ts';

/** One kind of request: always the same except for ids, times and names. */
export interface SnapshotRequest {
  /** Key in the file. */
  readonly name: string;
  readonly description: string;
  /** True for an invalid request: its response usually has the same shape for all operations. */
  readonly isInvalid: boolean;
  readonly send: (t: TestContext) => Promise<Sent>;
}

export interface Sent {
  readonly exchange: Exchange;
  readonly recorded: RecordedResponse | undefined;
}

/** The kinds of requests that are sent to an operation through one of its forms. */
export function requestsFor(operation: Operation, form: Form): readonly SnapshotRequest[] {
  const id = operation.parameters.findLast((each) => each.in === 'path')?.name;
  const hasJson = operation.body?.content.some(({ type }) => type.includes('json')) === true;
  const withId = (value: string) => (request: RequestSpec) => ({ path: { ...request.path, [id ?? '']: value } });
  const invalid: readonly (readonly [boolean, string, string, Change])[] = [
    [operation.permission !== 'none', 'no-token', 'a request without a token', () => ({ identity: 'none' })],
    [id !== undefined, 'unknown-id', 'an unknown id', (request) => withId(randomUUID())(request)],
    [id !== undefined, 'malformed-id', 'a malformed id', withId('not-an-id')],
    [hasJson, 'malformed-json', 'malformed JSON', () => ({ body: { type: 'application/json', content: '{"assay":' } })],
    [
      hasJson,
      'other-media-type',
      'an unknown media type',
      () => ({ body: { type: 'application/x-assay', content: 'assay' } }),
    ],
  ];
  return [
    { name: 'valid', description: 'a valid request', isInvalid: false, send: (t) => sendOwn(t, operation, form) },
    ...invalid.flatMap(([applies, name, description, change]) =>
      applies
        ? [{ name, description, isInvalid: true, send: sendInvalid(operation, form, { label: description, change }) }]
        : [],
    ),
  ];
}

type Change = (request: RequestSpec) => Partial<RequestSpec>;

function sendInvalid(
  operation: Operation,
  form: Form,
  { label, change }: { readonly label: string; readonly change: Change },
): SnapshotRequest['send'] {
  return async (t) => {
    const { json, ...request } = await requestToRefuse(t, operation, form);
    const changed = change(request);
    const body = changed.body === undefined && json !== undefined ? { json } : {};
    const exchange = await t.send(operation, { ...request, ...body, ...changed, valid: false, label });
    return { exchange, recorded: recordOf(exchange) };
  };
}

/** A valid request, where possible about an item of this run. */
async function sendOwn(t: TestContext, operation: Operation, form: Form): Promise<Sent> {
  const resource = t.knowledge.resources.find((each) => each.list?.id === operation.id);
  if (resource !== undefined && t.allows('reversible')) {
    const { id } = await create(t, resource, { suffix: 'snapshot' });
    const seen = await walk(t, operation, { form, label: 'find it in the list' });
    const exchange = seen?.pages.at(0);
    const own = seen?.items.find((item) => sameId(idOf(item), id));
    if (exchange === undefined || own === undefined) t.skip(`${operation.id} does not list the created item`);
    return { exchange, recorded: recordOf(exchange, withItems(exchange.response?.json, [own])) };
  }
  const label = 'a valid request';
  const isRead = operation.method === 'GET';
  const exchange = isRead
    ? await t.send(operation, { ...(await ownRequest(t, operation, form)), valid: true, label })
    : await sendValid(t, operation, form, (request) => ({ ...request, label }));
  const recorded = isServed(exchange) ? recordOf(exchange) : undefined;
  const isOfOthers = isRead && !operation.path.endsWith('}') && itemsIn(exchange) !== undefined;
  const isKept = recorded === undefined || !isOfOthers;
  return { exchange, recorded: isKept ? recorded : { ...recorded, body: withoutValues(recorded.body) } };
}

async function ownRequest(t: TestContext, operation: Operation, form: Form): Promise<RequestSpec> {
  try {
    return await validRequest(t, operation, form, 'fresh');
  } catch (error) {
    if (!(error instanceof Skip)) throw error;
    return validRequest(t, operation, form);
  }
}

/** A list, or the wrapper of one, with other items. */
function withItems(json: Json | undefined, items: readonly Json[], path = listIn(json)?.path ?? []): Json {
  const [name, ...rest] = path;
  return isObject(json) && name !== undefined ? { ...json, [name]: withItems(json[name], items, rest) } : items;
}
