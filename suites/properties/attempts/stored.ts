import type { GeneratedRequest } from '../../../generators/index.ts';
import { isObject, isSuccess, readPointer } from '../../../spec/index.ts';
import type { CheckName, Exchange, Json, JsonObject, Operation } from '../../../spec/index.ts';
import { idInBody } from '../../../domain/create.ts';
import type { Resource } from '../../../domain/resources.ts';
import type { TestContext } from '../../kit/context.ts';
import { withBody } from '../hunt/case.ts';
import type { Case } from '../hunt/case.ts';
import { exchangeFlaws, keyOf } from '../hunt/flaw.ts';
import type { Flaw } from '../hunt/flaw.ts';
import { knownPart } from '../hunt/places.ts';
import { mismatches, topMember } from '../../kit/read-back.ts';
import type { Mismatch, NotReturned } from '../../kit/read-back.ts';
import { eventually } from './patience.ts';
import { itemOf, sendCase } from './stage.ts';
import type { Outcome, Stage } from './stage.ts';

/** What an update may find. */
export interface Before {
  /** A plain request with every member. */
  readonly full: GeneratedRequest;
  /** Makes an item that no case worked on. */
  readonly fresh: (stage: Stage) => Promise<Stage>;
}

/** What storing attempts know. */
export interface Store {
  readonly resource: Resource;
  readonly silent: NotReturned;
  /** What an item may be before an update. */
  readonly before?: Before;
  /** The sentence that what is sent is stored. */
  readonly requirement?: string;
}

/** Creates what the case says, reads it back and removes it again. */
export async function tryCreate(
  t: TestContext,
  store: Store,
  value: Case,
  stage: Stage,
  patient: boolean,
): Promise<Outcome> {
  const { resource } = store;
  const exchange = await sendCase(t, resource.create, value, stage);
  const flaws = exchangeFlaws(t.session, resource.create, exchange, value.served === true ? 'success' : 'any');
  const id = isSuccess(exchange.response?.status ?? 0) ? idInBody(exchange) : undefined;
  if (id === undefined) return { exchange, flaws };
  const entry = t.session.creations.get(exchange.id);
  if (entry !== undefined) await t.session.journal.acknowledge(entry, id);
  const read = await readBack(t, store, {
    id,
    value,
    exchange,
    operation: resource.create,
    check: 'created-reads-back',
    patient,
  });
  const removal = { path: { [resource.idName]: id }, ...formOf(resource.remove, value), label: 'remove it' };
  const removed = await t.sendQuietly(resource.remove, removal);
  if ((removed.response?.status ?? 500) >= 500) await t.sendQuietly(resource.remove, removal);
  return { exchange, flaws: [...flaws, ...read, ...exchangeFlaws(t.session, resource.remove, removed)] };
}

/** Replaces an item by what the case says, and reads it back. */
export async function tryReplace(
  t: TestContext,
  store: Store,
  operation: Operation,
  value: Case,
  lane: Stage,
  patient: boolean,
): Promise<Outcome> {
  const { resource } = store;
  const stage = value.after === 'new' ? ((await store.before?.fresh(lane)) ?? lane) : lane;
  const before = await filling(t, store, operation, value, stage);
  const exchange = await sendCase(t, operation, value, stage);
  const flaws = exchangeFlaws(t.session, operation, exchange, value.served === true ? 'success' : 'any');
  const id = itemOf(stage, resource);
  const taken = id !== undefined && isSuccess(exchange.response?.status ?? 0);
  const stored = taken
    ? await readBack(t, store, { id, value, exchange, operation, check: 'updated-reads-back', patient })
    : [];
  const shown = [...flaws, ...stored].map((each) => ({ ...each, exchanges: [...before, ...each.exchanges] }));
  if (shown.length === 0 || store.before === undefined || value.after !== undefined) return { exchange, flaws: shown };
  const after = await tryReplace(t, store, operation, { ...value, after: 'full' }, lane, patient);
  return { exchange, flaws: shown.map((each) => steadier(each, after.flaws, value)) };
}

/** Makes an item hold every member, and the other flags, where the case says so. */
async function filling(
  t: TestContext,
  { before }: Store,
  operation: Operation,
  { after, form, request: { body } }: Case,
  stage: Stage,
): Promise<readonly Exchange[]> {
  if (after !== 'full' || before === undefined) return [];
  const request = opposite(before.full, body?.value, t.session.allows('costly'));
  return [await sendCase(t, operation, { request, form, label: 'fill every member' }, stage)];
}

/** The request with other flags and longer lists than those that are sent afterwards; what is enabled may run by itself, and running costs. */
function opposite(full: GeneratedRequest, next: Json | undefined, mayEnable: boolean): GeneratedRequest {
  const held = full.body?.value;
  if (!isObject(held) || !isObject(next)) return full;
  const flags = Object.entries(next)
    .filter(([name, value]) => typeof value === 'boolean' && (mayEnable || name !== 'enabled'))
    .map(([name, value]) => [name, value !== true]);
  const longer = Object.entries(next).flatMap(([name, value]) =>
    Array.isArray(value) && value.length > 0 && Array.isArray(held[name])
      ? [[name, [...(value as readonly Json[]), ...(held[name] as readonly Json[])]]]
      : [],
  );
  return withBody(full, { ...held, ...(Object.fromEntries([...flags, ...longer]) as JsonObject) });
}

/** What comes of an update may hang on what the item held; the same flaw after one that filled every member comes again. */
function steadier(flaw: Flaw, after: readonly Flaw[], value: Case): Flaw {
  const same = after.find((each) => keyOf(each) === keyOf(flaw));
  return same === undefined ? flaw : { ...same, shownBy: { ...value, after: 'full' } };
}

function formOf(
  operation: Operation,
  value: Case,
): { form: NonNullable<Operation['forms'][number]> } | Record<string, never> {
  const form = operation.forms[value.form % Math.max(1, operation.forms.length)];
  return form === undefined ? {} : { form };
}

interface Looked {
  readonly id: string;
  readonly value: Case;
  readonly exchange: Exchange;
  readonly operation: Operation;
  readonly check: CheckName;
  readonly patient: boolean;
}

async function readBack(t: TestContext, store: Store, looked: Looked): Promise<readonly Flaw[]> {
  const { read, idName } = store.resource;
  const schema = looked.operation.body?.content.find((each) => each.schema !== undefined)?.schema;
  const whole = sentJson(looked.exchange);
  const sent = whole === undefined || schema === undefined ? whole : knownPart(t.session.contract, schema, whole);
  if (read === undefined || !isObject(sent)) return [];
  const wrong = await eventually(t.session, looked.patient, async () => {
    const exchange = await t.sendQuietly(read, {
      path: { [idName]: looked.id },
      ...formOf(read, looked.value),
      label: 'read it back',
    });
    const flaws = exchangeFlaws(t.session, read, exchange);
    const found = [...flaws, ...storeFlaws(store, looked, { sent, whole: whole ?? null }, exchange)];
    return found.length === 0 ? undefined : found;
  });
  return wrong ?? [];
}

/** What was sent: what of it the schema knows, and all of it. */
interface Sent {
  readonly sent: Json;
  readonly whole: Json;
}

function storeFlaws(
  store: Store,
  { operation, check, exchange }: Looked,
  { sent, whole }: Sent,
  read: Exchange,
): readonly Flaw[] {
  const json = read.response?.json;
  if (read.response?.status !== 200) {
    const status = read.response?.status;
    if (status === undefined || status >= 500) return [];
    return [
      storeFlaw(
        store,
        {
          check,
          operation,
          kind: `not readable (${status})`,
          expected: 'status 200 and the item',
          received: `status ${status}`,
        },
        [exchange, read],
      ),
    ];
  }
  if (!isObject(json)) return [];
  const all = [...mismatches(sent, json, store.silent)].filter(
    (each) => !isOpen(each, whole) && !(check === 'updated-reads-back' && mayStay(each)),
  );
  const [stray] = all;
  return stray === undefined
    ? []
    : [
        {
          ...storeFlaw(store, { check, operation, ...told(stray) }, [exchange, read], stray.pointer),
          pointers: all.map(({ pointer }) => pointer),
        },
      ];
}

/** True where nothing is left of an object but what no schema knows: whether that is kept is not told. */
function isOpen({ pointer, sent }: Mismatch, whole: Json): boolean {
  const given = readPointer(whole, pointer);
  return isObject(sent) && Object.keys(sent).length === 0 && isObject(given) && Object.keys(given).length > 0;
}

/** Whether an update to null or to an empty map clears what was there is not shown: state/lifecycle tells of maps, as inferred. */
function mayStay({ sent }: Mismatch): boolean {
  return sent === null || (isObject(sent) && Object.keys(sent).length === 0);
}

function told({ pointer, sent, read }: Mismatch): Pick<Flaw, 'kind' | 'expected' | 'received'> {
  return {
    kind: `another ${topMember(pointer)}`,
    expected: `${pointer} = ${cut(sent)}`,
    received: `${pointer} = ${cut(read)}`,
  };
}

function storeFlaw(
  store: Store,
  parts: Pick<Flaw, 'check' | 'operation' | 'kind' | 'expected' | 'received'>,
  exchanges: readonly Exchange[],
  instancePointer?: string,
): Flaw {
  return {
    ...parts,
    message: `${parts.operation.id} stores something else than was sent (${parts.kind})`,
    exchanges,
    final: false,
    ...(store.requirement === undefined ? {} : { requirement: store.requirement }),
    ...(instancePointer === undefined ? {} : { instancePointer }),
  };
}

function cut(value: Json | undefined): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 200);
}

/** What really was sent, placeholders filled. */
export function sentJson(exchange: Exchange): Json | undefined {
  try {
    return exchange.request.body === undefined
      ? undefined
      : (JSON.parse(new TextDecoder().decode(exchange.request.body)) as Json);
  } catch {
    return undefined;
  }
}
