import { isObject } from '../../json.ts';
import { ADDED_KEY } from '../operations/text-schema.ts';
import { rewrite } from '../rewrite.ts';
import { without } from '../schema/context.ts';
import type { Json, JsonObject } from '../../json.ts';
import type { Kind } from '../shape.ts';

/** Key of the mark that a schema carries where only platform knowledge stands behind it. */
const GRADE = 'x-grade';

/** What a validator needs of a document: no examples, whose members could be taken for keywords. */
export function schemaView(document: JsonObject): JsonObject {
  const after = (kind: Kind, node: Json): Json => ((kind === 'schema' || kind === 'media' || kind === 'parameter') && isObject(node) ? without(node, 'example', 'examples', 'default') : node);
  const { paths, components, [ADDED_KEY]: added } = rewrite({ after }, 'document', document) as JsonObject;
  return { ...(paths === undefined ? {} : { paths }), ...(components === undefined ? {} : { components }), ...(added === undefined ? {} : { [ADDED_KEY]: added }) };
}

/** The view in which published schemas say nothing: what breaks it breaks a documented promise. Undefined where no schema is published. */
export function documentedView(view: JsonObject): JsonObject | undefined {
  let published = false;
  const after = (kind: Kind, node: Json): Json => {
    if (kind !== 'schema' || !isObject(node) || node[GRADE] !== 'published') return node;
    published = true;
    return {};
  };
  const documented = rewrite({ after }, 'document', view) as JsonObject;
  return published ? documented : undefined;
}
