import { createdId, uniqueName } from '../../../domain/create.ts';
import type { Resource } from '../../../domain/resources.ts';
import { isObject, isServed } from '../../../spec/index.ts';
import type { Form } from '../../../spec/index.ts';
import type { TestContext } from '../../kit/context.ts';
import { findUnreadable } from './read-back.ts';
import { JSON_TYPES } from './update.ts';

/** Creates an item with each media type that is the same JSON; each must read back as sent. */
export async function storesEachType(t: TestContext, resource: Resource, form: Form): Promise<void> {
  const { create } = resource;
  for (const type of JSON_TYPES) {
    const name = uniqueName(t, 'typed');
    const references = await t.knowledge.references(t, create, {});
    const sent = t.knowledge.sampleBody(create, name, references);
    if (!isObject(sent)) return t.skip(`no sample body is known for ${create.id}`);
    const body = { type, content: JSON.stringify(sent) };
    // Which types are accepted is judged by contract/bodies.
    const created = await t.send(create, { form, body, label: `create as ${type}` });
    const id = isServed(created) ? await createdId(t, resource, created) : undefined;
    if (id === undefined) continue;
    if (!(await t.holds((t) => findUnreadable(t, { resource, id, name, sent, created }, form)))) return;
  }
}
