import type { Exchange, Json, Operation } from '../../../spec/index.ts';
import { isObject, isSuccess } from '../../../spec/index.ts';
import { differences } from '../../kit/compare.ts';
import { idInBody } from '../../../domain/create.ts';
import { mentions } from '../../../domain/items.ts';
import type { Resource } from '../../../domain/resources.ts';
import type { TestContext } from '../../kit/context.ts';
import { requestsOf, sampleRequest } from '../cases/plain.ts';
import type { Case } from '../hunt/case.ts';
import { exchangeFlaws } from '../hunt/flaw.ts';
import type { Flaw } from '../hunt/flaw.ts';
import { mismatches } from '../../kit/read-back.ts';
import { eventually } from './patience.ts';
import { itemOf, sendCase } from './stage.ts';
import type { Stage } from './stage.ts';
import { sentJson } from './stored.ts';

/** Sends an invalid case: it must bring no server error, and where it is refused, nothing may change. */
export async function trySpoilt(
  t: TestContext,
  operation: Operation,
  resource: Resource | undefined,
  value: Case,
  stage: Stage,
  patient: boolean,
): Promise<readonly Flaw[]> {
  const item =
    resource !== undefined && (operation === resource.replace || operation === resource.patch)
      ? itemOf(stage, resource)
      : undefined;
  const made =
    item !== undefined && resource?.replace !== undefined ? await reset(t, resource.replace, stage) : undefined;
  const before =
    item === undefined || resource === undefined ? undefined : await readMade(t, resource, item, made, patient);
  const exchange = await sendCase(t, operation, value, stage);
  const flaws = exchangeFlaws(t.session, operation, exchange).filter(
    (each) => each.check === 'no-server-error' || each.check === 'answered',
  );
  const status = exchange.response?.status ?? 0;
  if (isSuccess(status)) {
    if (resource?.create === operation) await undo(t, resource, exchange);
    return [...flaws, ...(t.session.options.strict ? [accepted(operation, exchange)] : [])];
  }
  if (before?.response?.json === undefined || item === undefined || resource === undefined || status >= 500)
    return flaws;
  const changed = await eventually(t.session, patient, () =>
    changedSince(t, { operation, resource, item, before, exchange, ...(made === undefined ? {} : { made }) }),
  );
  return changed === undefined ? flaws : [...flaws, changed];
}

/** Makes an item plain again, so that what one refused request did can't hide what the next one does. */
async function reset(t: TestContext, replace: Operation, stage: Stage): Promise<Json | undefined> {
  const arbitrary = requestsOf(t.session.contract, replace);
  return arbitrary === undefined
    ? undefined
    : sentJson(
        await sendCase(
          t,
          replace,
          { request: sampleRequest(replace, arbitrary), form: 0, label: 'make it plain' },
          stage,
        ),
      );
}

/** Reads the item once it shows what it was made just before; undefined where it does not: an older read can't be compared with. */
async function readMade(
  t: TestContext,
  resource: Resource,
  item: string,
  made: Json | undefined,
  patient: boolean,
): Promise<Exchange | undefined> {
  let shown: Exchange | undefined;
  const stale = await eventually(t.session, patient, async () => {
    shown = await readItem(t, resource, item, 'read it before');
    const json = shown?.response?.json;
    const own =
      isObject(made) && isObject(json)
        ? Object.keys(made).filter((name) => mentions(made[name], t.session.tag) && json[name] !== undefined)
        : [];
    return own.every((name) => isAsMade(made, json, `/${name}`)) ? undefined : 'older';
  });
  return stale === undefined ? shown : undefined;
}

async function undo(t: TestContext, resource: Resource, exchange: Exchange): Promise<void> {
  const id = idInBody(exchange);
  const entry = t.session.creations.get(exchange.id);
  if (id === undefined) return;
  if (entry !== undefined) await t.session.journal.acknowledge(entry, id);
  await t.sendQuietly(resource.remove, { path: { [resource.idName]: id }, label: 'remove it' });
}

async function readItem(
  t: TestContext,
  { read, idName }: Resource,
  id: string,
  label: string,
): Promise<Exchange | undefined> {
  const exchange = read === undefined ? undefined : await t.sendQuietly(read, { path: { [idName]: id }, label });
  return exchange?.response?.status === 200 ? exchange : undefined;
}

interface Refusal {
  readonly operation: Operation;
  readonly resource: Resource;
  readonly item: string;
  readonly before: Exchange;
  readonly exchange: Exchange;
  /** What it was made just before; a read may have been older. */
  readonly made?: Json;
}

async function changedSince(
  t: TestContext,
  { operation, resource, item, before, exchange, made }: Refusal,
): Promise<Flaw | undefined> {
  const after = await readItem(t, resource, item, 'read it afterwards');
  const changed = after === undefined ? [] : differences(before.response?.json, after.response?.json);
  const pointer = changed.find((each) => !isAsMade(made, after?.response?.json, each));
  if (pointer === undefined || after === undefined) return undefined;
  const top = pointer.split('/')[1] ?? 'the item';
  return {
    check: 'refused-changes-nothing',
    operation,
    requirement: 'errors.refused-changes-nothing',
    kind: `${top} changed by a request that was refused`,
    message: `${operation.id} answers ${exchange.response?.status ?? 0} and changes ${top} all the same`,
    expected: `${pointer} as before: ${at(before.response?.json, pointer)}`,
    received: at(after.response?.json, pointer),
    exchanges: [before, exchange, after],
    final: false,
  };
}

/** True where the member is what the item was made. */
function isAsMade(made: Json | undefined, after: Json | undefined, pointer: string): boolean {
  const top = pointer.split('/')[1] ?? '';
  if (!isObject(made) || !isObject(after) || made[top] === undefined || after[top] === undefined) return false;
  return [...mismatches(made[top], after[top], new Set(), `/${top}`)].length === 0;
}

function at(json: Json | undefined, pointer: string): string {
  const value = pointer
    .split('/')
    .slice(1)
    .reduce<Json | undefined>(
      (each, token) =>
        typeof each === 'object' && each !== null ? (each as Readonly<Record<string, Json>>)[token] : undefined,
      json,
    );
  return (JSON.stringify(value) ?? 'nothing').slice(0, 200);
}

function accepted(operation: Operation, exchange: Exchange): Flaw {
  return {
    check: 'invalid-refused',
    operation,
    requirement: 'errors.validation',
    grade: 'published',
    kind: 'accepted',
    message: `${operation.id} accepts a request that breaks a constraint`,
    expected: 'status 400: the request fails validation',
    received: `status ${exchange.response?.status ?? 0}`,
    exchanges: [exchange],
    final: true,
  };
}
