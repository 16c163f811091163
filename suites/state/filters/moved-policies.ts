import { operationOf } from '../../../domain/builtin/operations.ts';
import { freshPolicy } from '../../../domain/builtin/policies.ts';
import { ifSkipped, Skip } from '../../../domain/context.ts';
import { isServed } from '../../../spec/index.ts';
import type { TestContext } from '../../kit/context.ts';
import type { ItemToFind } from './selection.ts';

export interface Policies {
  readonly active: readonly ItemToFind[];
  readonly inactive: readonly ItemToFind[];
  /** A policy that was deleted while it was active; none where that is refused. */
  readonly deleted: readonly ItemToFind[];
}

/** Policies of this run, some of them active; created once. */
export function policiesToFilter(t: TestContext): Promise<Policies> {
  return t.once('filter policies', async () => {
    const [active, inactive] = await Promise.all([
      Promise.all([createMoved(t, 'fila', 'activate'), createMoved(t, 'filb', 'deactivate', 'activate')]),
      // Not in the order of their names, so that the times of their creation sort them otherwise.
      Promise.all([
        createMoved(t, 'fild', 'deactivate'),
        createMoved(t, 'file', 'deactivate'),
        createMoved(t, 'filc', 'activate', 'deactivate'),
      ]),
    ]);
    const deleted = [await createMoved(t, 'filg', 'activate', 'deletePolicy')].filter(wasMoved);
    const policies = { active: active.filter(wasMoved), inactive: inactive.filter(wasMoved), deleted };
    if (policies.active.length === 0 || policies.inactive.length === 0) throw new Skip('no policy changes its state');
    return policies;
  });
}

/** A policy that was not moved may be in either state. */
const wasMoved = ({ moved }: ItemToFind): boolean => moved !== undefined && isServed(moved);

const THROUGH_FIRST_FORM: ReadonlySet<string> = new Set(['filb', 'file']);

type Move = 'activate' | 'deactivate' | 'deletePolicy';

/** A policy that was moved once or twice: a wrong filter may reflect only the first move. */
async function createMoved(t: TestContext, suffix: string, ...[move, last]: [Move, Move?]): Promise<ItemToFind> {
  // What was created through one form only may be missing in a filter.
  const [form] = THROUGH_FIRST_FORM.has(suffix) ? operationOf(t, 'createPolicy').forms : [];
  const policy = (await freshPolicy(t, suffix, {}, form).catch(ifSkipped)) ?? (await freshPolicy(t, suffix));
  const send = (to: Move) => t.send(operationOf(t, to), { path: { id: policy.id }, label: to });
  const moved = await send(move);
  return { ...policy, moved: last === undefined ? moved : await send(last) };
}
