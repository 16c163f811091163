import type { GeneratedRequest } from '../../../generators/index.ts';
import { checkOf, isObject, isServed, isSuccess, readPointer } from '../../../spec/index.ts';
import type { Exchange, Json, JsonObject, Operation } from '../../../spec/index.ts';
import { createdId } from '../../../domain/create.ts';
import type { Resource } from '../../../domain/resources.ts';
import type { TestContext } from '../../kit/context.ts';
import { eventually } from '../../kit/polling.ts';
import { bodyFormats } from '../../kit/formats.ts';
import type { Formats } from '../../kit/formats.ts';
import { asTexts } from '../../kit/as-texts.ts';
import { mismatches, topMember } from '../../kit/read-back.ts';
import type { Mismatch, NotReturned } from '../../kit/read-back.ts';
import { isRespelled } from '../../kit/respelled.ts';
import { withBodyValue } from '../case.ts';
import type { Case } from '../case.ts';
import { knownPart } from '../places.ts';
import { exchangeViolations, caseKey } from '../violation.ts';
import type { CaseViolation } from '../violation.ts';
import { formOption, itemIdOf, sendCase, sentJson } from './slot.ts';
import type { Attempt, CaseOutcome, Slot } from './slot.ts';

/** States of an item before an update, besides that of the slot. */
export interface Before {
  /** A plain request with every member. */
  readonly full: GeneratedRequest;
  /** Creates an item that no case has used. */
  readonly fresh: (slot: Slot) => Promise<Slot>;
}

/** How a resource stores what is sent. */
export interface Store {
  readonly resource: Resource;
  readonly notReturned: NotReturned;
  readonly before?: Before;
  /** The requirement that what is sent is stored. */
  readonly requirement?: string;
}

/** Creates the item of the case, reads it back and removes it. */
export async function tryCreate(t: TestContext, store: Store, { value, slot, patient }: Attempt): Promise<CaseOutcome> {
  const { create, remove, idName } = store.resource;
  const exchange = await sendCase(t, create, value, slot);
  const violations = exchangeViolations(t.session, create, exchange, value.served === true ? 'success' : 'any');
  const id = await createdId(t, store.resource, exchange);
  if (id === undefined) return { exchange, violations };
  const stored = await readBack(t, store, { id, value, exchange, operation: create, patient });
  const removal = { path: { [idName]: id }, ...formOption(remove, value), label: 'remove it' };
  const removed = await t.sendQuietly(remove, removal);
  if ((removed.response?.status ?? 500) >= 500) await t.sendQuietly(remove, removal);
  return {
    exchange,
    violations: [...violations, ...stored.violations, ...exchangeViolations(t.session, remove, removed)],
    isCompared: stored.isCompared,
  };
}

/** Replaces an item by the one of the case and reads it back. */
export async function tryReplace(
  t: TestContext,
  store: Store,
  operation: Operation,
  attempt: Attempt,
): Promise<CaseOutcome> {
  const { value, slot: given, patient } = attempt;
  const slot = value.after === 'new' ? ((await store.before?.fresh(given)) ?? given) : given;
  // The creation comes first, so that the finding can be reproduced.
  const creation = slot.created === undefined || t.isUnusable(slot.created) ? [] : [slot.created];
  const before = [...creation, ...(value.after === 'full' ? await fillItem(t, store, operation, value, slot) : [])];
  const exchange = await sendCase(t, operation, value, slot);
  const own = exchangeViolations(t.session, operation, exchange, value.served === true ? 'success' : 'any');
  const id = itemIdOf(slot, store.resource);
  const isStored = id !== undefined && isServed(exchange);
  const { violations: found, isCompared } = isStored
    ? await readBack(t, store, { id, value, exchange, operation, patient })
    : NOT_READ;
  const violations = [...own, ...found].map((each) => ({ ...each, exchanges: [...before, ...each.exchanges] }));
  if (violations.length === 0 || store.before === undefined || value.after !== undefined)
    return { exchange, violations, isCompared };
  const after: Case = { ...value, after: 'full' };
  const repeated = await tryReplace(t, store, operation, { ...attempt, value: after });
  return { exchange, violations: violations.map((each) => reproducible(each, repeated.violations, after)), isCompared };
}

/**
 * The violation with a case that reproduces it, where there is one. A violation of an update may depend on the earlier content of the
 * item; it is reproducible where it also occurs after an update that set every member.
 */
function reproducible(violation: CaseViolation, repeated: readonly CaseViolation[], after: Case): CaseViolation {
  const same =
    repeated.find((each) => caseKey(each) === caseKey(violation)) ??
    repeated.find(({ code, subject }) => checkOf(code) === checkOf(violation.code) && subject === violation.subject);
  return same === undefined ? violation : { ...same, shownBy: after };
}

/** Sets every member of an item to values that differ from those of the case. */
async function fillItem(
  t: TestContext,
  { before }: Store,
  operation: Operation,
  { form, request: { body } }: Case,
  slot: Slot,
): Promise<readonly Exchange[]> {
  if (before === undefined) return [];
  const request = otherRequest(before.full, body?.value, t.allows('costly'));
  return [await sendCase(t, operation, { request, form, label: 'set every member' }, slot)];
}

/** The request with other flags and longer lists than `next`. `mayEnable`: jobs may be enabled, and then run and cost money. */
function otherRequest(full: GeneratedRequest, next: Json | undefined, mayEnable: boolean): GeneratedRequest {
  const held = full.body?.value;
  if (!isObject(held) || !isObject(next)) return full;
  const other: Record<string, Json> = { ...held };
  for (const [name, value] of Object.entries(next)) {
    const old = held[name];
    if (typeof value === 'boolean' && (mayEnable || name !== 'enabled')) other[name] = !value;
    if (Array.isArray(value) && value.length > 0 && Array.isArray(old))
      other[name] = [...(value as readonly Json[]), ...(old as readonly Json[])];
  }
  return withBodyValue(full, other);
}

interface Sending {
  readonly id: string;
  readonly value: Case;
  readonly exchange: Exchange;
  readonly operation: Operation;
  readonly patient: boolean;
}

type ReadBack = Required<Pick<CaseOutcome, 'violations' | 'isCompared'>>;

const NOT_READ: ReadBack = { violations: [], isCompared: false };

async function readBack(t: TestContext, store: Store, sending: Sending): Promise<ReadBack> {
  const { read, idName } = store.resource;
  const schema = sending.operation.body?.content.find((each) => each.schema !== undefined)?.schema;
  const whole = sentJson(sending.exchange);
  const sent = whole === undefined || schema === undefined ? whole : knownPart(t.contract, schema, whole);
  if (read === undefined || !isObject(sent)) return NOT_READ;
  const request = { path: { [idName]: sending.id }, ...formOption(read, sending.value), label: 'read it back' };
  let violations: readonly CaseViolation[] = [];
  let isCompared = false;
  const wrong = await eventually(t.session, sending.patient, async () => {
    const exchange = await t.sendQuietly(read, request);
    isCompared = false;
    violations = exchangeViolations(t.session, read, exchange);
    // A read that was answered with an undocumented status, or with another item, says nothing else about the item.
    if (violations.some(({ code }) => code === 'own-id/other' || !isServed(exchange))) return undefined;
    isCompared = isServed(exchange) && isObject(exchange.response.json);
    const formats = bodyFormats(t.contract, sending.operation);
    const isSetElsewhere = setElsewhere(t, sending.operation);
    const mayClean = !t.knowledge.guarantees('storage', sending.operation);
    const body = { sent, whole: whole ?? null, formats, isSetElsewhere, mayClean };
    const found = storeViolations(store, sending, body, exchange);
    return found.length === 0 ? undefined : found;
  });
  return { violations: [...violations, ...(wrong ?? [])], isCompared };
}

/** The body that was sent: its part that the schema knows, and the whole. */
interface Sent {
  readonly sent: JsonObject;
  readonly whole: Json;
  readonly formats: Formats;
  /** True for a member that is set by another operation, so that no requirement says that this one stores it. */
  readonly isSetElsewhere: (name: string) => boolean;
  /** Whether texts may be trimmed, normalised or stripped of markup: nothing says that they are stored as sent. */
  readonly mayClean: boolean;
}

function setElsewhere({ knowledge }: TestContext, operation: Operation): Sent['isSetElsewhere'] {
  const isStored = knowledge.guarantees('storage', operation);
  return (name) => isStored && knowledge.members.volatile.test(`/${name}`);
}

function storeViolations(
  store: Store,
  sending: Sending,
  { sent, whole, formats, isSetElsewhere, mayClean }: Sent,
  read: Exchange,
): CaseViolation[] {
  const { operation } = sending;
  const isCreation = operation === store.resource.create;
  const common = {
    operation,
    exchanges: [sending.exchange, read],
    ...(store.requirement === undefined ? {} : { requirement: store.requirement }),
  };
  const { status = 500, json } = read.response ?? {};
  if (status >= 500) return [];
  if (!isSuccess(status))
    return [
      {
        ...common,
        code: isCreation ? 'created-reads-back/not-readable' : 'updated-reads-back/not-readable',
        subject: String(status),
        message: `${operation.id} succeeds, but the item cannot be read`,
        expected: 'status 200 and the item',
        received: `status ${status}`,
      },
    ];
  if (!isObject(json)) return [];
  const all = [...mismatches(sent, json, store.notReturned, formats)].filter(
    (each) => !isUndocumented(each, whole) && !(mayClean && respelled(each)) && (isCreation || !mayStay(each)),
  );
  const check = isCreation ? 'created-reads-back' : 'updated-reads-back';
  return [...all.filter((each) => !respelled(each)), ...all.filter(respelled)]
    .filter((each, index, ranked) => ranked.findIndex((other) => isSameMember(other, each)) === index)
    .map(({ pointer, sent: value, read: found }) => ({
      ...common,
      ...(isRespelled(value, found)
        ? { code: `${check}/respelled` as const, grade: 'inferred' as const }
        : {
            code: `${check}/member` as const,
            // A deployment may have a default for what is sent as null.
            ...(isSetElsewhere(topMember(pointer)) || value === null ? { grade: 'inferred' as const } : {}),
          }),
      subject: `/${topMember(pointer)}`,
      message: `${operation.id} does not return the value that was sent: ${topMember(pointer)}`,
      ...shownAs(pointer, value, found),
      instancePointer: pointer,
      pointers: all.map((each) => each.pointer),
      emptied: all.filter(isEmptied).map((each) => each.pointer),
      missing: all.filter(({ read: shown }) => shown === undefined || shown === null).map((each) => each.pointer),
    }));
}

function respelled({ sent, read }: Mismatch): boolean {
  return isRespelled(sent, read);
}

function isSameMember(a: Mismatch, b: Mismatch): boolean {
  return topMember(a.pointer) === topMember(b.pointer);
}

/** True for an object or a list of objects that is returned empty. (A member that is not returned at all is absent.) */
function isEmptied({ sent, read }: Mismatch): boolean {
  const isFilled = Array.isArray(sent) ? sent.some((each: Json) => isObject(each)) : isObject(sent);
  return isFilled && typeof read === 'object' && read !== null && Object.keys(read).length === 0;
}

/** True for an object with only members that the schema does not know: whether those are stored is not documented. */
function isUndocumented({ pointer, sent }: Mismatch, whole: Json): boolean {
  const given = readPointer(whole, pointer);
  return isObject(sent) && Object.keys(sent).length === 0 && isObject(given) && Object.keys(given).length > 0;
}

/** Whether an update to null or to an empty map clears the old value is not documented. */
function mayStay({ sent }: Mismatch): boolean {
  return sent === null || (isObject(sent) && Object.keys(sent).length === 0);
}

function shownAs(pointer: string, sent: Json, read: Json | undefined): Pick<CaseViolation, 'expected' | 'received'> {
  const [expected, received] = asTexts(sent, read);
  return { expected: `${pointer} = ${expected}`, received: `${pointer} = ${received}` };
}
