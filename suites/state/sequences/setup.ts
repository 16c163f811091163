import { operationOf } from '../../../domain/builtin/operations.ts';
import { settled } from '../../../domain/context.ts';
import { idOf, idsOf } from '../../../domain/items.ts';
import { walk } from '../../../domain/read-list.ts';
import { isObject } from '../../../spec/index.ts';
import type { Exchange, Json, JsonObject } from '../../../spec/index.ts';
import type { TestContext } from '../../kit/context.ts';
import { createTracked } from './items.ts';
import type { Family, TrackedItem } from './items.ts';
import { isActive } from '../../../domain/builtin/policies.ts';

/** What all sequences of a family have in common. */
export interface Setup {
  /** Query that narrows lists to the items of sequences, where the deployment supports it. */
  readonly search: Readonly<Record<string, string>>;
  readonly stateMember: StateMember | undefined;
  /** Creates an item, and finds out whether it is active. */
  create(): Promise<TrackedItem>;
}

/** The member of a policy that shows whether it is active, with its values. */
export interface StateMember {
  readonly name: string;
  readonly active: Json;
  readonly inactive: Json;
}

export async function setUp(t: TestContext, family: Family): Promise<Setup> {
  if (family !== 'policy') return { search: {}, stateMember: undefined, create: () => createTracked(t, family) };
  const stateMember = await findStateMember(t);
  const search = await findSearch(t);
  return { stateMember, search, create: async () => withState(t, await createTracked(t, family), search) };
}

/** A search that finds only the items of sequences; empty where the deployment does not narrow the list by it. */
function findSearch(t: TestContext): Promise<Setup['search']> {
  return t.once('search-for-sequences', async () => {
    const { key } = await createTracked(t, 'policy');
    const search = { searchName: `${t.tag}-seq` };
    const isNarrowed = await settled(t, async () => {
      const request = { query: { ...search, page: 0, take: 100 }, label: 'search' };
      const ids = idsOf((await t.send(operationOf(t, 'policies'), request)).response?.json);
      return ids?.includes(key) === true && ids.length < 50;
    });
    return isNarrowed ? search : {};
  });
}

/** Finds out the initial state with the filter, because section 3 does not show it. */
async function withState(t: TestContext, item: TrackedItem, search: Setup['search']): Promise<TrackedItem> {
  await settled(t, async () => {
    const active = await isActive(t, item.id, { query: search });
    if (active !== undefined) item.known = { ...item.known, active };
    return active !== undefined;
  });
  return item;
}

/**
 * Finds the state member, once per run, by comparing activated and deactivated policies; undefined where no member shows the state. Where
 * it is true in the active policies themselves, a list that shows it otherwise is wrong, and not the policies.
 */
function findStateMember(t: TestContext): Promise<StateMember | undefined> {
  return t.once('state-member', async () => {
    const [a, b, c, d] = await Promise.all(Array.from({ length: 4 }, () => createTracked(t, 'policy')));
    if (a === undefined || b === undefined || c === undefined || d === undefined) return undefined;
    const move = (name: 'activate' | 'deactivate', { id }: TrackedItem): Promise<unknown> =>
      t.send(operationOf(t, name), { path: { id }, label: name });
    for (const each of [a, b, c]) await move('activate', each);
    for (const each of [b, c, d]) await move('deactivate', each);
    await move('activate', b);
    let found: StateMember | undefined;
    await settled(t, async () => {
      const active = await listed(t, [a, b], true);
      const inactive = await listed(t, [c, d], false);
      const again = await listed(t, [a, b], true);
      if (active.length < 2 || inactive.length < 2 || again.length < 2) return false;
      found = compare([...active, ...again], inactive);
      return true;
    });
    const own = compare(await readAll(t, [a, b]), await readAll(t, [c, d]));
    return own?.active === true ? own : found;
  });
}

async function listed(
  t: TestContext,
  wanted: readonly TrackedItem[],
  filterActive: boolean,
): Promise<readonly JsonObject[]> {
  const ids = new Set(wanted.map(({ key }) => key));
  const seen = await walk(t, operationOf(t, 'policies'), { query: { filterActive } });
  return (seen?.items ?? []).filter((item): item is JsonObject => isObject(item) && ids.has(idOf(item) ?? ''));
}

async function readAll(t: TestContext, policies: readonly TrackedItem[]): Promise<readonly JsonObject[]> {
  const read = ({ id }: TrackedItem): Promise<Exchange> => t.send(operationOf(t, 'readPolicy'), { path: { id } });
  return (await Promise.all(policies.map(read))).map(({ response }) => response?.json ?? null).filter(isObject);
}

/** The only scalar member that has one value in all active policies, whenever they are read, and another one in all inactive policies. */
function compare(active: readonly JsonObject[], inactive: readonly JsonObject[]): StateMember | undefined {
  const found = Object.keys(active[0] ?? {}).flatMap((name) => {
    const [on, off] = [commonValue(active, name), commonValue(inactive, name)];
    return on === undefined || off === undefined || on === off ? [] : [{ name, active: on, inactive: off }];
  });
  return found.length === 1 ? found[0] : undefined;
}

function commonValue(items: readonly JsonObject[], name: string): Json | undefined {
  const [first, ...rest] = items.map((item) => item[name]);
  return typeof first !== 'object' && rest.every((each) => each === first) ? first : undefined;
}
