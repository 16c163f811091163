import type { CaseArbitrary, GeneratedRequest } from '../../../generators/index.ts';
import { isObject, isSuccess, pointerTo } from '../../../spec/index.ts';
import type { Json, Operation } from '../../../spec/index.ts';
import type { Resource } from '../../../domain/resources.ts';
import type { TestContext } from '../../kit/context.ts';
import { fullRequest } from '../cases/plain.ts';
import { replaced, spots } from '../cases/spots.ts';
import { withBody } from '../hunt/case.ts';
import { lastNames, mismatches } from '../../kit/read-back.ts';
import type { NotReturned } from '../../kit/read-back.ts';
import type { Lanes } from './lanes.ts';
import type { Stage } from './stage.ts';
import { sentJson, tryCreate, tryReplace } from './stored.ts';

interface Learning {
  readonly operation: Operation;
  readonly arbitrary: CaseArbitrary<GeneratedRequest>;
  readonly base: GeneratedRequest;
  readonly resource: Resource;
  readonly stages: Lanes<Stage>;
  /** By member (tail), the values that came back as they were sent. */
  readonly kept: Map<string, Set<string>>;
}

/** A member that came back as sent with so many values is stored: where it does not come back, that is no habit. */
const FAITHFUL = 2;

/** Most members that are learned one after the other. */
const MOST = 40;

/** Which members the deployment does not give back as they were sent, told by plain values: those are no promise. */
export async function learnSilent(t: TestContext, given: Omit<Learning, 'kept'>): Promise<NotReturned> {
  const learning: Learning = { ...given, kept: new Map() };
  const silent = new Set<string>();
  const plain = learning.base.body?.value;
  if (plain === undefined) return silent;
  const first = firsts(plain);
  await noteCreated(t, learning);
  await learnFrom(t, learning, first, silent);
  const mayEnable = t.session.allows('costly');
  if (!(await learnFrom(t, learning, otherwise(first, mayEnable), silent)))
    await learnEach(t, learning, first, silent, mayEnable);
  await learnMissing(t, learning, first, silent, mayEnable);
  await learnFilled(t, learning, first, silent);
  return silent;
}

/** Members that the plain body lacks or leaves empty, each by itself beside it; what is not taken even so is no promise. */
async function learnMissing(
  t: TestContext,
  learning: Learning,
  plain: Json,
  silent: Set<string>,
  mayEnable: boolean,
): Promise<void> {
  const full = fullRequest(learning.operation, learning.arbitrary).body?.value;
  if (!isObject(full) || !isObject(plain)) return;
  for (const [name, value] of Object.entries(full)) {
    if (hasSomething(plain[name])) continue;
    const member = firsts(value);
    for (const each of [member, otherwise(member, mayEnable)]) {
      if (!silent.has(name) && !(await learnFrom(t, learning, { ...plain, [name]: each }, silent))) silent.add(name);
    }
  }
}

/** What the deployment puts by itself into an object that is sent empty; a member that was there before is no habit, it was left. */
async function learnFilled(t: TestContext, learning: Learning, plain: Json, silent: Set<string>): Promise<void> {
  if (!isObject(plain)) return;
  const objects = Object.entries(plain).filter(([, value]) => isObject(value));
  const left = new Set(
    objects.flatMap(([name, value]) => Object.keys(value as object).map((key) => lastNames(pointerTo('', name, key)))),
  );
  const filled = new Set(silent);
  await learnFrom(t, learning, { ...plain, ...Object.fromEntries(objects.map(([name]) => [name, {}])) }, filled);
  for (const tail of filled) if (!left.has(tail)) silent.add(tail);
}

function hasSomething(value: Json | undefined): boolean {
  return value !== undefined && (typeof value !== 'object' || (value !== null && Object.keys(value).length > 0));
}

/** Each flag and number by itself, where all at once are not taken; what is not taken even so is no promise. */
async function learnEach(
  t: TestContext,
  learning: Learning,
  plain: Json,
  silent: Set<string>,
  mayEnable: boolean,
): Promise<void> {
  for (const { path, value } of spots(plain)) {
    const name = path.at(-1);
    if ((typeof value !== 'boolean' && typeof value !== 'number') || typeof name !== 'string') continue;
    const other = replaced(plain, path, name === 'enabled' && !mayEnable ? value : otherwise(value, mayEnable));
    if (!(await learnFrom(t, learning, other, silent))) silent.add(lastNames(pointerTo('', ...path)));
  }
}

/** Learns from one body until all of it comes back; false where it is not taken. */
async function learnFrom(
  t: TestContext,
  { operation, arbitrary, base, resource, stages, kept }: Learning,
  body: Json,
  silent: Set<string>,
): Promise<boolean> {
  const request = withBody(base, body);
  if (!arbitrary.accepts(request)) return false;
  let patient = true;
  for (let round = 0; round < MOST; round += 1) {
    const store = { resource, silent };
    const value = { request, form: 0 };
    const { exchange, flaws } = await stages.use((stage) =>
      operation === resource.create
        ? tryCreate(t, store, value, stage, patient)
        : tryReplace(t, store, operation, value, stage, patient),
    );
    const stray = flaws.find((each) => each.instancePointer !== undefined && !each.final);
    if (!isSuccess(exchange.response?.status ?? 0)) return false;
    note(
      kept,
      body,
      flaws.flatMap((each) => each.pointers ?? []),
    );
    if (flaws.length === 0) return true;
    patient = stray?.instancePointer === undefined && !patient;
    if (stray?.instancePointer === undefined) round += MOST / 4;
    else {
      const habits = (stray.pointers ?? [stray.instancePointer])
        .map(lastNames)
        .filter((tail) => (kept.get(tail)?.size ?? 0) < FAITHFUL);
      if (habits.length === 0) return true;
      for (const tail of habits) silent.add(tail);
    }
  }
  return true;
}

/** What a new item holds of what it was created with: an update may then be told from a habit. */
async function noteCreated(t: TestContext, { resource: { read, idName }, stages, kept }: Learning): Promise<void> {
  const { made, path } = stages.all[0] ?? {};
  const sent = made === undefined ? undefined : sentJson(made);
  if (read === undefined || sent === undefined || path?.[idName] === undefined) return;
  const exchange = await t.sendQuietly(read, { path: { [idName]: path[idName] }, label: 'read it as it was created' });
  if (exchange.response?.status === 200)
    note(
      kept,
      sent,
      [...mismatches(sent, exchange.response.json, new Set())].map(({ pointer }) => pointer),
    );
}

/** Remembers what came back as it was sent. */
function note(kept: Map<string, Set<string>>, sent: Json, strayed: readonly string[]): void {
  for (const { path, value } of spots(sent)) {
    const pointer = pointerTo('', ...path);
    if (typeof value === 'object' || strayed.some((each) => pointer === each || pointer.startsWith(`${each}/`)))
      continue;
    const tail = lastNames(pointer);
    kept.set(tail, (kept.get(tail) ?? new Set()).add(JSON.stringify(value)));
  }
}

/** Lists cut to their first item, so that what happens to the order of items is not taken for a habit. */
function firsts(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).slice(0, 1).map(firsts);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, firsts(member)]));
}

/** The same with other flags and numbers: what is always answered with a default is told from what is stored. */
function otherwise(value: Json, mayEnable: boolean): Json {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value === 1 ? 2 : 1;
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => otherwise(item, mayEnable));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      key === 'enabled' && !mayEnable ? member : otherwise(member, mayEnable),
    ]),
  );
}
