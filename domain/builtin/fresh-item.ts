import type { Json, JsonObject } from '../../spec/index.ts';
import type { ApiContext } from '../context.ts';
import { create } from '../create.ts';
import type { CreatedItem, CreateOptions } from '../create.ts';
import { sampleWith } from './bodies/sample-body.ts';
import { resourceFor } from './operations.ts';

/** A new item; `members` are added to its plain sample. */
export async function freshItem(
  t: ApiContext,
  role: Parameters<typeof resourceFor>[1],
  members: JsonObject,
  options: Pick<CreateOptions, 'suffix' | 'label' | 'expect' | 'form'>,
): Promise<CreatedItem> {
  const resource = resourceFor(t, role);
  const references = await t.knowledge.references(t, resource.create, {});
  const body = (name: string): Json => sampleWith(t, resource, name, references, members);
  return create(t, resource, { ...options, body, references });
}
