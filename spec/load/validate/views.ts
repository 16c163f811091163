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

/** Keyword that stands for `$ref` in a view: its target is compiled when a value first gets there, so that no chain of references is too long. */
export const LAZY_REF = 'x-assay-ref';

function withLazyRef(node: Json): Json {
  if (!isObject(node) || typeof node['$ref'] !== 'string') return node;
  const { $ref, ...rest } = node;
  return { ...rest, [LAZY_REF]: decodeURIComponent($ref.slice(1)) };
}

/** These keywords must know what other keywords looked at, also behind references. */
function countsEvaluated(document: JsonObject): boolean {
  let found = false;
  const before = (kind: Kind, node: Json): Json => {
    found ||= kind === 'schema' && isObject(node) && ('unevaluatedProperties' in node || 'unevaluatedItems' in node);
    return node;
  };
  rewriteDocument({ before }, document);
  return found;
}

/** What a validator needs of a document: no examples, whose members could be taken for keywords, and lazy references. */
export function schemaView(document: JsonObject): JsonObject {
  const eager = countsEvaluated(document);
  const after = (kind: Kind, node: Json): Json => {
    const shown = withoutExamples(kind, node);
    return kind === 'schema' && !eager ? withLazyRef(shown) : shown;
  };
  const { paths, components, [ADDED_KEY]: added } = rewriteDocument({ after }, document);
  return {
    ...(paths === undefined ? {} : { paths }),
    ...(components === undefined ? {} : { components }),
    ...(added === undefined ? {} : { [ADDED_KEY]: added }),
  };
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
