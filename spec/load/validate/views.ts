import { isObject } from '../../json.ts';
import { ADDED_KEY } from '../operations/text-schema.ts';
import { rewriteDocument } from '../rewrite.ts';
import { without } from '../schema/context.ts';
import type { Json, JsonObject } from '../../json.ts';
import type { Kind } from '../shape.ts';

/** Key of the mark that a schema carries where only platform knowledge stands behind it. */
const GRADE = 'x-grade';

const SHOWING: readonly Kind[] = ['schema', 'media', 'parameter'];

function withoutExamples(kind: Kind, node: Json): Json {
  return SHOWING.includes(kind) && isObject(node) ? without(node, 'example', 'examples', 'default') : node;
}

/** What a validator needs of a document: no examples, whose members could be taken for keywords. */
export function schemaView(document: JsonObject): JsonObject {
  const { paths, components, [ADDED_KEY]: added } = rewriteDocument({ after: withoutExamples }, document);
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
  const documented = rewriteDocument({ after }, view);
  return published ? documented : undefined;
}
