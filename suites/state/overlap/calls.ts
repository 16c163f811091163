import { setTimeout as sleep } from 'node:timers/promises';
import { idOf, sameId } from '../../../domain/items.ts';
import { pageWith, walk } from '../../../domain/read-list.ts';
import type { Exchange, Operation } from '../../../spec/index.ts';
import type { RequestSpec, TestContext } from '../../kit/context.ts';
import { isReadRequest, ITEM_SPECIFICATION } from '../../oracle/index.ts';
import type { Known, Observed, Request } from '../../oracle/index.ts';
import { formAt } from '../define.ts';
import { observe, observeListed, operationFor, sendAuthorised, specFor } from '../sequences/items.ts';
import type { Family, TrackedItem } from '../sequences/items.ts';
import type { Setup } from '../sequences/setup.ts';
import { linearize } from './linearizability.ts';
import type { TimedCall } from './linearizability.ts';
import { filterShowsState } from '../../../domain/builtin/policies.ts';

export interface RecordedCall extends TimedCall<Request, Observed> {
  readonly item: TrackedItem;
  readonly exchange: Exchange;
}

/** True where some order of the calls, starting from the known state, explains all their responses. */
export function isLinearizable(known: Known, calls: readonly RecordedCall[]): boolean {
  return linearize(calls, { ...ITEM_SPECIFICATION, initial: [known] }) !== undefined;
}

/** A call that is ready to be sent. */
export interface PreparedCall {
  readonly item: TrackedItem;
  readonly request: Request;
  readonly operation: Operation;
  readonly spec: RequestSpec;
}

/** Prepares a call, so that several can be sent at the same moment; `active`: the state that an update names. */
export async function prepareCall(
  t: TestContext,
  family: Family,
  item: TrackedItem,
  request: Request,
  active = item.known.active,
): Promise<PreparedCall> {
  const operation = operationFor(t, family, request.kind);
  if (operation === undefined) return t.skip(`the description has no operation to ${request.kind} a ${family}`);
  const spec = await specFor(t, item, request, active);
  return { item, request: request.kind === 'update' ? { ...request, active } : request, operation, spec };
}

/** Sends a call and records when it began and ended. Of the response to a write only the status is recorded. */
export async function sendCall(
  t: TestContext,
  { item, request, operation, spec }: PreparedCall,
  formIndex: number,
  delayMs = 0,
): Promise<RecordedCall> {
  if (delayMs > 0) await sleep(delayMs);
  const invoked = performance.now();
  const sent = { ...spec, label: request.kind, form: formAt(operation, formIndex) };
  const exchange = await sendAuthorised(t, operation, sent);
  const observed = observe(exchange, item);
  if (exchange.response === undefined || observed.status >= 500) {
    return { item, request, invoked, returned: Infinity, exchange };
  }
  const response = isReadRequest(request) ? observed : { status: observed.status };
  return { item, request, invoked, returned: performance.now(), exchange, response };
}

/** Reads an item once all calls have ended, and for a policy whether filterActive lists it. */
export async function readFinalState(
  t: TestContext,
  family: Family,
  item: TrackedItem,
  search: Setup['search'],
): Promise<readonly RecordedCall[]> {
  if (operationFor(t, family, 'read') === undefined) return [];
  const read = await sendCall(t, await prepareCall(t, family, item, { kind: 'read' }), 0);
  const policies = operationFor(t, family, 'list-active');
  if (policies === undefined || !(await filterShowsState(t, search))) return [read];
  const invoked = performance.now();
  const spec = { query: { ...search, filterActive: true }, label: 'filterActive=true' };
  const seen = await walk(t, policies, spec);
  const exchange = seen === undefined ? undefined : pageWith(seen, item.id);
  if (seen === undefined || exchange === undefined) return [read];
  const listed = seen.items.find((each) => sameId(idOf(each), item.id));
  const request = { kind: 'list-active', filterActive: true } as const;
  const response = observeListed(listed, item);
  return [read, { item, request, invoked, returned: performance.now(), response, exchange }];
}
