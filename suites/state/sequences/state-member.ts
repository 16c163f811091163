import { isObject } from '../../../spec/index.ts';
import type { Json, JsonObject } from '../../../spec/index.ts';
import { idOf } from '../../../domain/items.ts';
import type { TestContext } from '../../kit/context.ts';
import { walk } from '../../../domain/read-list.ts';
import { makeSubject } from './subject.ts';
import type { Subject } from './subject.ts';
import { settled } from '../../../domain/context.ts';
import { operationOf } from '../../../domain/builtin/operations.ts';

/** The member of a policy that tells whether it is active, with its values. */
export interface StateMember {
  readonly name: string;
  readonly active: Json;
  readonly inactive: Json;
}

/** Which list each policy must be in before the lists are compared. */
interface Watched {
  readonly active: readonly Subject[];
  readonly inactive: readonly Subject[];
}

/** Finds the member by watching policies that were switched on and off; undefined where none tells. Once a run. */
export function stateMember(t: TestContext): Promise<StateMember | undefined> {
  return t.session.once('state-member', async () => {
    const [a, b, c, d] = await Promise.all(Array.from({ length: 4 }, () => makeSubject(t, 'createPolicy')));
    if (a === undefined || b === undefined || c === undefined || d === undefined) return undefined;
    const move = (name: 'activate' | 'deactivate', { made }: Subject): Promise<unknown> =>
      t.send(operationOf(t.session, name), { path: { id: made.id }, label: name });
    for (const each of [a, b, c]) await move('activate', each);
    for (const each of [b, c, d]) await move('deactivate', each);
    await move('activate', b);
    return compare(t, { active: [a, b], inactive: [c, d] });
  });
}

async function compare(t: TestContext, watched: Watched): Promise<StateMember | undefined> {
  let member: StateMember | undefined;
  await settled(t, async () => {
    const active = await listed(t, watched.active, true);
    const inactive = await listed(t, watched.inactive, false);
    if (active.length < 2 || inactive.length < 2) return false;
    member = differing(active, inactive);
    return true;
  });
  return member;
}

async function listed(
  t: TestContext,
  wanted: readonly Subject[],
  filterActive: boolean,
): Promise<readonly JsonObject[]> {
  const ids = new Set(wanted.map((each) => each.id));
  const seen = await walk(t, operationOf(t.session, 'policies'), { query: { filterActive } });
  return (seen?.items ?? []).filter((item): item is JsonObject => isObject(item) && ids.has(idOf(item) ?? ''));
}

/** The one plain member that is alike in all active policies, alike in all inactive ones, and not the same in both. */
function differing(active: readonly JsonObject[], inactive: readonly JsonObject[]): StateMember | undefined {
  const found = Object.keys(active[0] ?? {}).flatMap((name) => {
    const [on, off] = [alike(active, name), alike(inactive, name)];
    return on === undefined || off === undefined || on === off ? [] : [{ name, active: on, inactive: off }];
  });
  return found.length === 1 ? found[0] : undefined;
}

/** The plain value that all items have there; undefined where they differ. */
function alike(items: readonly JsonObject[], name: string): Json | undefined {
  const [first, ...rest] = items.map((item) => item[name]);
  return typeof first !== 'object' && rest.every((each) => each === first) ? first : undefined;
}
