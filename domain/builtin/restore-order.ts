import { setTimeout as sleep } from 'node:timers/promises';
import type { Target } from '../../client/index.ts';
import { isObject, isSuccess } from '../../spec/index.ts';
import type { Contract, Json, JsonObject } from '../../spec/index.ts';
import { itemsIn, memberOf } from '../items.ts';
import { findOperation } from './operations.ts';

/** Name under which the journal saves the processing order before the run changes it. */
export const ORDER_NAME = 'processing-order';

/** Most attempts to restore the order while others change it. */
const ATTEMPTS = 3;

/** How long reads may lag behind an order that was set, in milliseconds: until then, it is not set again. */
const SETTLE_MS = 1000;

/**
 * Restores the saved processing order, as {@link inSavedOrder} describes. Returns the reason of a failure, else undefined. It is none
 * where the order still lacks an inactive policy after it was set with it: a deployment may list active policies only.
 */
export async function restoreOrder(target: Target, contract: Contract, saved: Json): Promise<string | undefined> {
  const read = findOperation(contract, 'order');
  const write = findOperation(contract, 'setOrder');
  const form = read?.forms.at(-1);
  if (read === undefined || write === undefined || form === undefined) return 'the description has no processing order';
  const writeForm = write.forms.find((each) => each.name === form.name) ?? form;
  const before = Array.isArray(saved) ? saved.filter((each: Json): each is string => typeof each === 'string') : [];
  const look = async (): Promise<OrderState | undefined> => {
    const now = itemsIn(await target.send({ operation: read, form }))?.filter(isEntry);
    return now && { now, missing: await missingPolicies(target, contract, before, now) };
  };
  let reason: string | undefined = 'the order could not be read';
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const state = await look();
    if (state === undefined) continue;
    const { now, missing } = state;
    if (missing.length === 0 && isInOrder(state, before)) return undefined;
    const wanted = inSavedOrder([...now, ...missing.map(({ entry }) => entry)], before);
    const content = JSON.stringify(wanted.map((each, order) => ({ ...each, order })));
    const body = { type: 'application/json', content };
    const { response } = await target.send({ operation: write, form: writeForm, body });
    if (response === undefined || !isSuccess(response.status)) {
      reason = `setting it was answered with ${response?.status ?? 'nothing'}`;
      await sleep(50 * attempt);
      continue;
    }
    const until = Date.now() + SETTLE_MS;
    do {
      reason = whatDiffers(await look(), before);
      if (reason === undefined) return undefined;
      await sleep(SETTLE_MS / 10);
    } while (Date.now() < until);
  }
  return reason;
}

/** The order as it is read, and the policies that it lacks. */
interface OrderState {
  readonly now: readonly Entry[];
  readonly missing: readonly Missing[];
}

const isInOrder = ({ now }: OrderState, before: readonly string[]): boolean =>
  inSavedOrder(now, before).every((each, at) => each.id === now[at]?.id);

/** Why an order that was set is not the saved one; undefined if it is. */
function whatDiffers(state: OrderState | undefined, before: readonly string[]): string | undefined {
  if (state === undefined) return 'it was set, and cannot be read';
  if (!isInOrder(state, before)) return 'it was set, and reads return another order';
  return state.missing.some(({ isActive }) => isActive) ? 'it was set, and reads lack an active policy' : undefined;
}

/** Entries for policies that are no longer in the order and still exist: a deployment may take the order that was set as the whole one. */
async function missingPolicies(
  target: Target,
  contract: Contract,
  before: readonly string[],
  now: readonly Entry[],
): Promise<readonly Missing[]> {
  const read = findOperation(contract, 'readPolicy');
  const form = read?.forms.at(-1);
  const shown = new Set(now.map(({ id }) => id.toLowerCase()));
  const found: Missing[] = [];
  for (const id of before.filter((each) => !shown.has(each.toLowerCase()))) {
    if (read === undefined || form === undefined) break;
    const { response } = await target.send({ operation: read, form, path: { id } });
    const name = memberOf(response?.json, 'name');
    const isActive = memberOf(response?.json, 'isActive') === true;
    if (response?.status === 200) found.push({ entry: { id, ...(name === undefined ? {} : { name }) }, isActive });
  }
  return found;
}

interface Entry extends JsonObject {
  readonly id: string;
}

/** An entry for a policy that the order lacks. */
interface Missing {
  readonly entry: Entry;
  readonly isActive: boolean;
}

function isEntry(value: Json): value is Entry {
  return isObject(value) && typeof value['id'] === 'string';
}

/**
 * The current entries, rearranged: those that were saved share the places that they have now, in their saved order; the others keep
 * their places.
 */
export function inSavedOrder<T extends Entry>(now: readonly T[], saved: readonly string[]): readonly T[] {
  const rank = new Map(saved.map((id, at) => [id.toLowerCase(), at]));
  const known = (entry: T): number | undefined => rank.get(entry.id.toLowerCase());
  const sorted = now.filter((each) => known(each) !== undefined).sort((a, b) => (known(a) ?? 0) - (known(b) ?? 0));
  return now.map((each) => (known(each) === undefined ? each : (sorted.shift() ?? each)));
}
