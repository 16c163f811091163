import { freshJob } from '../../../domain/builtin/jobs.ts';
import { operationOf } from '../../../domain/builtin/operations.ts';
import { memberOf } from '../../../domain/items.ts';
import { isServed } from '../../../spec/index.ts';
import type { TestContext } from '../../kit/context.ts';
import { violationOf } from '../../kit/violation.ts';
import type { Tested } from '../define.ts';
import { JSON_TYPES } from '../lifecycle/update.ts';

/** Patches a job in each media type of JSON; a patch that is accepted must be applied. */
export async function appliesInEachType(t: TestContext, { operation, form }: Tested): Promise<void> {
  const { id } = await freshJob(t, 'typed', { description: 'as created' });
  const path = { id };
  for (const type of JSON_TYPES) {
    const description = `patched as ${type}`;
    const content = JSON.stringify([{ op: 'replace', path: '/description', value: description }]);
    const patched = await t.send(operation, { form, path, body: { type, content }, label: `patch as ${type}` });
    // contract/bodies judges whether the type is accepted.
    if (!isServed(patched)) continue;
    const isApplied = await t.takesEffect(async (t) => {
      const shown = await t.send(operationOf(t, 'readJob'), { form, path, label: 'read the job' });
      const received = memberOf(shown.response?.json, 'description');
      if (!isServed(shown) || received === undefined || received === description) return undefined;
      return violationOf('json-patch/result', operation, {
        subject: type,
        requirement: 'jobs.patch-applies',
        expected: description,
        received: JSON.stringify(received),
        exchanges: [patched, shown],
      });
    });
    if (!isApplied) return;
  }
}
