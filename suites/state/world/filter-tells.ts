import type { Form, Json } from '../../../spec/index.ts';
import { settled } from '../../session/create.ts';
import type { Trial } from '../../session/trial.ts';
import { walk } from '../../session/walk.ts';
import { freshPolicy } from './make.ts';
import { operationOf } from './operations.ts';

/** Why states are not looked at where {@link filterTells} is false. */
export const FILTER_TELLS_NOTHING =
  'filterActive finds the same policy among the active and the inactive, so it tells no state: see the findings of filters';

/**
 * False where filterActive, beside that query, finds a policy both among the active and the inactive for good: then it is the filter that
 * is wrong, and what it shows says nothing of activation. Asked once a run.
 */
export function filterTells(trial: Trial, query: Readonly<Record<string, Json>> = {}): Promise<boolean> {
  return trial.session.once(`filter tells ${JSON.stringify(query)}`, async () => {
    const policies = operationOf(trial.session, 'policies');
    const narrowed = 'searchName' in query;
    const { id } = await freshPolicy(trial, narrowed ? 'seq' : 'tells');
    const finds = async (form: Form, filterActive: boolean): Promise<boolean> =>
      (
        await walk(trial, policies, { form, query: { ...query, filterActive }, label: `filterActive=${filterActive}` })
      )?.ids.includes(id.toLowerCase()) === true;
    for (const move of ['activate', 'deactivate'] as const) {
      await trial.sendQuietly(operationOf(trial.session, move), { path: { id }, label: move });
      for (const form of policies.forms) {
        if (!(await settled(trial, async () => !((await finds(form, true)) && (await finds(form, false))))))
          return false;
      }
    }
    return true;
  });
}
