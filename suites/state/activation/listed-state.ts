import { operationOf } from '../../../domain/builtin/operations.ts';
import { listedAs } from '../../../domain/builtin/policies.ts';
import type { CreatedItem } from '../../../domain/create.ts';
import { idOf, itemsIn, sameId } from '../../../domain/items.ts';
import { isObject } from '../../../spec/index.ts';
import type { Exchange, Form, JsonObject } from '../../../spec/index.ts';
import type { Evaluation, TestContext } from '../../kit/context.ts';
import { violationOf } from '../../kit/violation.ts';
import type { Moved } from './content.ts';

const readPolicy = (t: TestContext, { id }: CreatedItem, form: Form): Promise<Exchange> =>
  t.send(operationOf(t, 'readPolicy'), { form, path: { id }, label: 'read the policy' });

/** The members of the policy, for {@link findListedState} after the next move. */
export async function membersOf(t: TestContext, policy: CreatedItem, form: Form): Promise<JsonObject> {
  const { response } = await readPolicy(t, policy, form);
  return isObject(response?.json) ? response.json : {};
}

/**
 * A member that the list shows as it was before a move, although the policy itself changed it with the state: `before` are its members
 * before the move. Lists and reads return the same model.
 */
export async function findListedState(
  t: TestContext,
  policy: CreatedItem,
  form: Form,
  { move, moved, before }: Moved & { readonly before: JsonObject },
): Evaluation {
  const active = move === 'activate';
  const read = await readPolicy(t, policy, form);
  const { exchange } = await listedAs(t, policy.id, active, { form }, true);
  const listed = itemsIn(exchange)?.find((item) => sameId(idOf(item), policy.id));
  const { json } = read.response ?? {};
  if (!isObject(json) || !isObject(listed) || exchange === undefined) return undefined;
  const name = Object.keys(json).find(
    (each) => json[each] === active && before[each] === !active && listed[each] === !active,
  );
  if (name === undefined) return undefined;
  return violationOf('activation/state-member', operationOf(t, 'policies'), {
    subject: `${name} in the list`,
    requirement: 'policies.status',
    message: `${operationOf(t, 'policies').id}: the list shows the former state of a policy (${name})`,
    expected: `${name} ${active}, as in the policy itself and by filterActive`,
    received: `${name} ${!active}`,
    exchanges: [policy.created, moved, read, exchange],
  });
}
