import { setTimeout as sleep } from 'node:timers/promises';
import { checkOf, isObject, isServed, isSuccess, readPointer } from '../../../spec/index.ts';
import type { Exchange, Json, Operation } from '../../../spec/index.ts';
import { createdId } from '../../../domain/create.ts';
import { mentions } from '../../../domain/items.ts';
import type { Resource } from '../../../domain/resources.ts';
import { differencesBetween, ownDifferences } from '../../kit/compare.ts';
import type { TestContext } from '../../kit/context.ts';
import { eventually, VOLATILE_WITHIN_MS } from '../../kit/polling.ts';
import { bodyFormats } from '../../kit/formats.ts';
import type { Formats } from '../../kit/formats.ts';
import { asTexts } from '../../kit/as-texts.ts';
import { violationOf } from '../../kit/violation.ts';
import { mismatches, topMember } from '../../kit/read-back.ts';
import { generatedRequests, sampleRequest } from '../cases/plain.ts';
import { exchangeViolations } from '../violation.ts';
import type { CaseViolation, CaseViolations } from '../violation.ts';
import { itemIdOf, sendCase, sentJson } from './slot.ts';
import type { Attempt, Slot } from './slot.ts';

/** An item that an invalid request names, reset and read before the request. */
interface Target {
  readonly resource: Resource;
  readonly id: string;
  readonly before: Exchange;
  /** The body of the reset, since a read may have shown an older state. */
  readonly reset: Json | undefined;
}

/** Sends an invalid request: it must not cause a server error, and where it is refused, it must not change anything. */
export async function tryInvalid(
  t: TestContext,
  operation: Operation,
  resource: Resource | undefined,
  attempt: Attempt,
): CaseViolations {
  const { value, slot, patient } = attempt;
  const target = await targetOf(t, operation, resource, attempt);
  const exchange = await sendCase(t, operation, value, slot, false);
  const violations = exchangeViolations(t.session, operation, exchange).filter(({ code }) =>
    ['no-server-error', 'answered'].includes(checkOf(code)),
  );
  const status = exchange.response?.status ?? 0;
  tally(t, isSuccess(status));
  if (status === UNPROCESSABLE && t.knowledge.guarantees('statuses', operation))
    return [...violations, unprocessable(operation, exchange)];
  if (isSuccess(status)) {
    if (resource?.create === operation) await removeCreated(t, resource, exchange);
    return t.session.options.strict ? [...violations, accepted(operation, exchange)] : violations;
  }
  if (target === undefined || status >= 500) return violations;
  const changed = await eventually(t.session, patient, () => changedMember(t, operation, exchange, target));
  return changed === undefined ? violations : [...violations, changed];
}

/** Resets and reads the item of the path, so that the effect of an earlier request cannot hide that of the next one. */
async function targetOf(
  t: TestContext,
  operation: Operation,
  resource: Resource | undefined,
  { slot, patient }: Attempt,
): Promise<Target | undefined> {
  const changesItem = resource !== undefined && (operation === resource.replace || operation === resource.patch);
  const id = changesItem ? itemIdOf(slot, resource) : undefined;
  if (resource === undefined || id === undefined) return undefined;
  const reset = resource.replace === undefined ? undefined : await resetItem(t, resource.replace, slot);
  let before: Exchange | undefined;
  const stale = await eventually(t.session, patient, async () => {
    before = await readItem(t, resource, id, 'read it before');
    const json = before?.response?.json;
    const own =
      isObject(reset) && isObject(json)
        ? Object.keys(reset).filter((name) => mentions(reset[name], t.tag) && json[name] !== undefined)
        : [];
    return own.find((name) => !isAsReset(reset, json, `/${name}`, bodyFormats(t.contract, operation)));
  });
  return stale !== undefined || before?.response?.json === undefined ? undefined : { resource, id, before, reset };
}

async function resetItem(t: TestContext, replace: Operation, slot: Slot): Promise<Json | undefined> {
  const arbitrary = generatedRequests(t.contract, replace);
  if (arbitrary === undefined) return undefined;
  const request = sampleRequest(replace, arbitrary, await t.knowledge.references(t, replace, {}));
  const value = { request, form: 0, label: 'reset it' };
  return sentJson(await sendCase(t, replace, value, slot));
}

/** Removes what an invalid request created. */
export async function removeCreated(t: TestContext, resource: Resource, exchange: Exchange): Promise<void> {
  const id = await createdId(t, resource, exchange);
  if (id !== undefined) await t.sendQuietly(resource.remove, { path: { [resource.idName]: id }, label: 'remove it' });
}

async function readItem(
  t: TestContext,
  { read, idName }: Resource,
  id: string,
  label: string,
): Promise<Exchange | undefined> {
  const exchange = read === undefined ? undefined : await t.sendQuietly(read, { path: { [idName]: id }, label });
  return isServed(exchange) ? exchange : undefined;
}

async function changedMember(
  t: TestContext,
  operation: Operation,
  exchange: Exchange,
  { resource, id, before, reset }: Target,
): Promise<CaseViolation | undefined> {
  const after = await readItem(t, resource, id, 'read it afterwards');
  if (after === undefined) return undefined;
  const [old, now] = [before.response?.json, after.response?.json];
  const formats = bodyFormats(t.contract, resource.replace ?? resource.create);
  let suspects = ownDifferences(t, before, after).filter((each) => !isAsReset(reset, now, each, formats));
  for (const ms of VOLATILE_WITHIN_MS) {
    if (suspects.length === 0) return undefined;
    await sleep(ms);
    const again = await readItem(t, resource, id, 'read it again');
    const volatile = new Set(again === undefined ? [] : differencesBetween(t.contract, after, again));
    suspects = suspects.filter((each) => !volatile.has(each));
  }
  const [pointer] = suspects;
  if (pointer === undefined) return undefined;
  const name = topMember(pointer);
  const [expected, received] = asTexts(readPointer(old, pointer), readPointer(now, pointer));
  return violationOf('refused-changes-nothing/changed-data', operation, {
    subject: `/${name}`,
    requirement: 'errors.refused-changes-nothing',
    expected: `${pointer} unchanged: ${expected}`,
    received,
    exchanges: [before, exchange, after],
  });
}

/** True where the member is as the reset set it. */
function isAsReset(reset: Json | undefined, now: Json | undefined, pointer: string, formats: Formats): boolean {
  const name = topMember(pointer);
  if (!isObject(reset) || !isObject(now) || reset[name] === undefined || now[name] === undefined) return false;
  return [...mismatches(reset[name], now[name], new Set(), formats, `/${name}`)].length === 0;
}

/** Not the documented status of validation errors, which is 400. */
const UNPROCESSABLE = 422;

function unprocessable(operation: Operation, exchange: Exchange): CaseViolation {
  return {
    code: 'invalid-refused/status',
    subject: String(UNPROCESSABLE),
    operation,
    requirement: 'errors.validation',
    message: `${operation.id} refuses an invalid request with status ${UNPROCESSABLE}`,
    expected: 'status 400: malformed or failed validation',
    received: `status ${UNPROCESSABLE}`,
    exchanges: [exchange],
    isFinal: true,
  };
}

interface Tally {
  accepted: number;
  all: number;
}

const TALLIES = new WeakMap<TestContext, Tally>();

function tally(t: TestContext, isAccepted: boolean): void {
  const known = TALLIES.get(t) ?? { accepted: 0, all: 0 };
  known.all += 1;
  if (isAccepted) known.accepted += 1;
  TALLIES.set(t, known);
}

/** Records how many of the invalid requests of a test were accepted: which ones must be refused is not documented. */
export function observeAccepted(t: TestContext, operation: Operation): void {
  const { accepted: count = 0, all = 0 } = TALLIES.get(t) ?? {};
  if (count === 0) return;
  t.observe('invalid requests accepted', `${count} of ${all}`, operation);
  for (const name of ['invalid-refused', 'errors.validation']) t.leavesOpen(name);
}

function accepted(operation: Operation, exchange: Exchange): CaseViolation {
  return {
    code: 'invalid-refused/accepted',
    operation,
    requirement: 'errors.validation',
    grade: 'published',
    message: `${operation.id} accepts a request that violates a constraint`,
    expected: 'status 400: the request fails validation',
    received: `status ${exchange.response?.status ?? 0}`,
    exchanges: [exchange],
    isFinal: true,
  };
}
