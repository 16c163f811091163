import { isObject, without } from '../../json.ts';
import { pointerOfRef } from '../../pointer.ts';
import { ADDED_KEY } from '../operations/parameters.ts';
import { mapItems, mapMembers, rewriteDocument } from '../rewrite.ts';
import type { Json, JsonObject } from '../../json.ts';
import type { NodeKind } from '../rewrite.ts';
import { defined } from '../../defined.ts';

/** Marks a schema known from published sources only. */
const GRADE = 'x-grade';

const SHOWING: readonly NodeKind[] = ['schema', 'media', 'parameter'];

function withoutExamples(kind: NodeKind, node: Json): Json {
  return SHOWING.includes(kind) && isObject(node) ? without(node, 'example', 'examples', 'default') : node;
}

/** Replaces `$ref` in a view. Its target is compiled when a value first reaches it, so chains of references have no limit. */
export const LAZY_REF = 'x-assay-ref';

function withLazyRef(node: Json): Json {
  if (!isObject(node) || typeof node['$ref'] !== 'string') return node;
  const { $ref, ...rest } = node;
  return { ...rest, [LAZY_REF]: pointerOfRef($ref) };
}

const IDENTIFIERS = ['$id', '$anchor', '$dynamicAnchor'] as const;

/** Without identifiers outside schemas: ajv takes any object for a schema, and refuses a document in which two have the same one. */
function withoutIdentifiers(node: Json): Json {
  if (Array.isArray(node)) return mapItems(node as readonly Json[], withoutIdentifiers);
  if (!isObject(node)) return node;
  const names = IDENTIFIERS.filter((name) => typeof node[name] === 'string');
  return mapMembers(without(node, ...names), (value, key) =>
    key === 'enum' || key === 'const' ? value : withoutIdentifiers(value),
  );
}

/** `unevaluated*` depends on what other keywords evaluated, including through references. */
function countsEvaluated(document: JsonObject): boolean {
  let found = false;
  const before = (kind: NodeKind, node: Json): Json => {
    found ||= kind === 'schema' && isObject(node) && ('unevaluatedProperties' in node || 'unevaluatedItems' in node);
    return node;
  };
  rewriteDocument({ before }, document);
  return found;
}

/** The part of a document that a validator needs: without examples, whose members could be mistaken for keywords, and with lazy references. */
export function schemaView(document: JsonObject): JsonObject {
  const eager = countsEvaluated(document);
  const after = (kind: NodeKind, node: Json): Json => {
    const shown = withoutExamples(kind, node);
    return kind === 'schema' && !eager ? withLazyRef(shown) : shown;
  };
  const { paths, components, [ADDED_KEY]: added } = rewriteDocument({ after }, document);
  const view = { ...defined({ paths, components }), ...(added === undefined ? {} : { [ADDED_KEY]: added }) };
  return mapMembers(view, withoutIdentifiers);
}

/** The view without published schemas: a value that violates it violates the API document. Undefined if no schema is published. */
export function documentedView(view: JsonObject): JsonObject | undefined {
  let published = false;
  const after = (kind: NodeKind, node: Json): Json => {
    if (kind !== 'schema' || !isObject(node) || node[GRADE] !== 'published') return node;
    published = true;
    return {};
  };
  const documented = rewriteDocument({ after }, view);
  return published ? documented : undefined;
}
