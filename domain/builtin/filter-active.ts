import type { Form, Json } from '../../spec/index.ts';
import { settled } from '../create.ts';
import type { TestContext } from '../../suites/kit/context.ts';
import { walk } from '../read-list.ts';
import { freshPolicy } from './make.ts';
import { operationOf } from './operations.ts';

/** Why states are not looked at where {@link filterTells} is false. */
export const FILTER_TELLS_NOTHING =
  'filterActive finds the same policy among the active and the inactive, so it tells no state: see the findings of filters';

/**
 * False where filterActive, beside that query, finds a policy both among the active and the inactive for good: then it is the filter that
 * is wrong, and what it shows says nothing of activation. Asked once a run.
 */
export function filterTells(t: TestContext, query: Readonly<Record<string, Json>> = {}): Promise<boolean> {
  return t.session.once(`filter tells ${JSON.stringify(query)}`, async () => {
    const policies = operationOf(t.session, 'policies');
    const narrowed = 'searchName' in query;
    const { id } = await freshPolicy(t, narrowed ? 'seq' : 'tells');
    const finds = async (form: Form, filterActive: boolean): Promise<boolean> =>
      (
        await walk(t, policies, { form, query: { ...query, filterActive }, label: `filterActive=${filterActive}` })
      )?.ids.includes(id.toLowerCase()) === true;
    for (const move of ['activate', 'deactivate'] as const) {
      await t.sendQuietly(operationOf(t.session, move), { path: { id }, label: move });
      for (const form of policies.forms) {
        if (!(await settled(t, async () => !((await finds(form, true)) && (await finds(form, false)))))) return false;
      }
    }
    return true;
  });
}
