import type { Exchange } from '../../spec/index.ts';
import type { TestContext } from '../../suites/kit/context.ts';
import { operationOf } from './world.ts';

/** Most policies of an order that are looked for. */
const MOST_LOOKS = 200;

/** Reports an order that lists what is not there: to set it as it was read is then refused with reason. */
export async function listsGhost(t: TestContext, listed: readonly string[], refused: Exchange): Promise<boolean> {
  const [order, read] = [operationOf(t.session, 'order'), operationOf(t.session, 'readPolicy')];
  const own = listed.filter((id) => t.session.made.has(id));
  for (const id of own.slice(-MOST_LOOKS)) {
    const seen = await t.sendQuietly(read, { path: { id }, label: 'read a policy that the order lists' });
    if (seen.response?.status !== 404) continue;
    t.report({
      check: 'deleted-is-gone',
      requirement: 'policies.delete-removes',
      operation: order,
      cause: 'still in the processing order',
      message: `${order.id}: a deleted policy is still in the processing order`,
      expected: `${id} is not in it`,
      received: 'it is',
      exchanges: [refused, seen],
    });
    return true;
  }
  return false;
}
