import type { Target } from '../../client/index.ts';
import { isSuccess } from '../../spec/index.ts';
import type { Contract } from '../../spec/index.ts';
import { OPERATIONS } from './operations.ts';

/** Deactivates a policy whose deletion is a conflict; false for other items. */
export async function releaseItem(target: Target, contract: Contract, remove: string, id: string): Promise<boolean> {
  const deactivate = contract.operation(OPERATIONS.deactivate);
  const form = deactivate?.forms.at(-1);
  if (remove !== OPERATIONS.deletePolicy || deactivate === undefined || form === undefined) return false;
  const { response } = await target.send({ operation: deactivate, form, path: { id } });
  return isSuccess(response?.status ?? 0);
}
