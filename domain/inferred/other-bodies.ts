import { isServed } from '../../spec/index.ts';
import type { Contract, Exchange, Operation } from '../../spec/index.ts';

/** The bodies that went before the plain one of an operation, since the service refused their values. */
interface OtherBodies {
  count: number;
  /** True until the plain body is made anew. */
  isNew: boolean;
  /** True where the service refuses the values of an item that exists. */
  areUnique: boolean;
  /** Refusals since one was served. */
  inVain: number;
  /** Number of the body that was served last. */
  served?: number;
}

const known = new WeakMap<Contract, Map<string, OtherBodies>>();

export function otherBodies(contract: Contract, { id }: Operation): OtherBodies {
  const all = known.get(contract) ?? new Map<string, OtherBodies>();
  const own = all.get(id) ?? { count: 0, isNew: false, areUnique: false, inVain: 0 };
  known.set(contract, all.set(id, own));
  return own;
}

/** Most other bodies that are sent, one after the other, before an operation counts as one that refuses them all. */
const MOST_IN_VAIN = 6;

/**
 * Notes how the service answered the plain body of an operation. True where it refused its values, and another body may be served: a
 * service checks more than its description says, such as a number against the one of another item.
 */
export function mayServeOther(contract: Contract, operation: Operation, exchange: Exchange): boolean {
  const others = otherBodies(contract, operation);
  if (isServed(exchange)) {
    others.inVain = 0;
    others.served = others.count;
    return false;
  }
  const { status = 0 } = exchange.response ?? {};
  if (operation.body === undefined || ![400, 409, 422].includes(status) || others.inVain > MOST_IN_VAIN) return false;
  others.inVain += 1;
  const isLast = others.inVain > MOST_IN_VAIN;
  if (status === 409 && others.served === others.count) others.areUnique = true;
  // In vain: the first one is the example of the description, if there is one.
  others.count = isLast ? 0 : others.count + 1;
  others.isNew = true;
  return !isLast;
}
