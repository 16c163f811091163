import { create } from '../../../domain/create.ts';
import type { Resource } from '../../../domain/resources.ts';
import { isObject, isServed } from '../../../spec/index.ts';
import type { Form, Json, JsonObject } from '../../../spec/index.ts';
import type { TestContext } from '../../kit/context.ts';
import { violationOf } from '../../kit/violation.ts';
import { findUpdateLost } from './read-back.ts';

const NO_TEXT: JsonObject = { first: 'assay' };

/** No text, and names that a deployment may refuse: the document does not show which are valid. */
export const NO_NAMES: readonly Json[] = [NO_TEXT, '', null];

export const NOT_REFUSED = 'the deployment refuses no update without a name';

/** A refused update stores none of the members that it sends. */
export async function keepsWhatIsNotUpdated(t: TestContext, resource: Resource, form: Form): Promise<void> {
  const { replace } = resource;
  if (replace === undefined) return;
  const item = await create(t, resource, { form });
  const { path } = item;
  await t.knowledge.prepare(t, replace, path);
  const references = await t.knowledge.references(t, replace, path);
  const sample = t.knowledge.sampleBody(replace, item.name, references);
  if (!isObject(sample) || typeof sample['name'] !== 'string') return t.skip(`the sample of ${replace.id} has no name`);
  const sent = { ...sample, description: `Changed by Assay (${item.name}).` };
  let changed = await t.send(replace, { form, path, json: sent, label: 'update' });
  if (!isServed(changed)) return t.skip('no update is served');
  if (!(await t.holds((t) => findUpdateLost(t, item, form, { sent, changed })))) return;
  let refusals = 0;
  const description = `Changed by Assay (${item.name}) without a name.`;
  const noNames = NO_NAMES.map((name): JsonObject => ({ name, description }));
  const noDescription = { name: `${item.name}-refused`, description: NO_TEXT };
  for (const changes of noNames.toSpliced(1, 0, noDescription)) {
    const json = { ...sent, ...changes };
    const refused = await t.send(replace, { form, path, json, label: 'update with an invalid member' });
    const status = refused.response?.status ?? 500;
    if (status < 400 || status >= 500) {
      // The deployment accepts this value: the valid update replaces it.
      changed = await t.send(replace, { form, path, json: sent, label: 'update again' });
      if (!isServed(changed)) break;
      continue;
    }
    refusals += 1;
    const isKept = await t.holds(async (t) => {
      const lost = await findUpdateLost(t, item, form, { sent, changed: refused });
      if (lost === undefined) return undefined;
      const { subject, expected, received, exchanges } = lost;
      return violationOf('refused-changes-nothing/changed-data', replace, {
        subject,
        requirement: 'errors.refused-changes-nothing',
        expected,
        received,
        exchanges: [changed, ...exchanges],
      });
    });
    if (!isKept) return;
  }
  if (refusals === 0) t.skip(NOT_REFUSED);
}
