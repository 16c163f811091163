import { isObject } from '../json.ts';
import { pointerTo } from '../pointer.ts';
import type { Method } from '../contract.ts';
import type { Json, JsonObject } from '../json.ts';

/** Kinds of nodes of an OpenAPI 3 document that lead to schemas. */
export type NodeKind =
  | 'document'
  | 'components'
  | 'pathItem'
  | 'operation'
  | 'parameter'
  | 'body'
  | 'response'
  | 'media'
  | 'encoding'
  | 'schema';

/** The value of a key: one node, a list of nodes or a map of nodes. */
interface Slot {
  readonly kind: NodeKind;
  readonly as: 'one' | 'list' | 'map';
}

const one = (kind: NodeKind): Slot => ({ kind, as: 'one' });
const list = (kind: NodeKind): Slot => ({ kind, as: 'list' });
const map = (kind: NodeKind): Slot => ({ kind, as: 'map' });

function each(slot: Slot, ...keywords: readonly string[]): Readonly<Record<string, Slot>> {
  return Object.fromEntries(keywords.map((keyword) => [keyword, slot]));
}

/** Methods of an OpenAPI path item. */
export const METHODS = {
  get: 'GET',
  put: 'PUT',
  post: 'POST',
  delete: 'DELETE',
  options: 'OPTIONS',
  head: 'HEAD',
  patch: 'PATCH',
  trace: 'TRACE',
} as const satisfies Record<string, Method>;

/** The nodes of an OpenAPI 3 document on the way to schemas. */
const SHAPE = {
  document: { paths: map('pathItem'), components: one('components') },
  components: {
    schemas: map('schema'),
    parameters: map('parameter'),
    responses: map('response'),
    requestBodies: map('body'),
    headers: map('parameter'),
    pathItems: map('pathItem'),
  },
  pathItem: { parameters: list('parameter'), ...each(one('operation'), ...Object.keys(METHODS)) },
  operation: { parameters: list('parameter'), requestBody: one('body'), responses: map('response') },
  parameter: { schema: one('schema'), content: map('media') },
  body: { content: map('media') },
  response: { content: map('media'), headers: map('parameter') },
  media: { schema: one('schema'), encoding: map('encoding') },
  encoding: { headers: map('parameter') },
} satisfies Record<Exclude<NodeKind, 'schema'>, Record<string, Slot>> as Record<
  Exclude<NodeKind, 'schema'>,
  Readonly<Record<string, Slot>>
>;

/** Keywords of the 2020-12 dialect that hold schemas. */
const SUBSCHEMAS: Readonly<Record<string, Slot>> = {
  ...each(map('schema'), 'properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'),
  ...each(list('schema'), 'allOf', 'anyOf', 'oneOf', 'prefixItems'),
  ...each(one('schema'), 'items', 'contains', 'additionalProperties', 'propertyNames', 'not', 'if', 'then', 'else'),
  ...each(one('schema'), 'unevaluatedItems', 'unevaluatedProperties', 'additionalItems', 'contentSchema'),
};

/** Nodes below this depth are replaced by an empty object. */
const MAX_DEPTH = 250;

/** Changes nodes: `before` on the way down, `after` on the way up. Pointers refer to the original document. */
export interface Rewriter {
  readonly before?: (kind: NodeKind, node: Json, pointer: string) => Json;
  readonly after?: (kind: NodeKind, node: Json, pointer: string) => Json;
  readonly tooDeep?: (pointer: string) => void;
}

/** Applies a rewriter to every node of an OpenAPI 3 document that leads to schemas; the document itself is not changed. */
export function rewriteDocument(rewriter: Rewriter, document: JsonObject): JsonObject {
  const rewritten = rewrite(rewriter, 'document', document);
  return isObject(rewritten) ? rewritten : {};
}

function rewrite(rewriter: Rewriter, kind: NodeKind, value: Json, pointer = '', depth = 0): Json {
  if (depth > MAX_DEPTH) {
    rewriter.tooDeep?.(pointer);
    return {};
  }
  const node = rewriter.before?.(kind, value, pointer) ?? value;
  const rebuilt = isObject(node) ? rewriteMembers(rewriter, kind, node, pointer, depth) : node;
  return rewriter.after?.(kind, rebuilt, pointer) ?? rebuilt;
}

function rewriteMembers(
  rewriter: Rewriter,
  kind: NodeKind,
  node: JsonObject,
  pointer: string,
  depth: number,
): JsonObject {
  const slots = kind === 'schema' ? SUBSCHEMAS : SHAPE[kind];
  return mapMembers(node, (value, key) => {
    const slot = Object.hasOwn(slots, key) ? slots[key] : undefined;
    return slot === undefined ? value : rewriteSlot(rewriter, slot, value, pointerTo(pointer, key), depth + 1);
  });
}

/** Returns the object itself if no member changes, so that views of a large description share most of it. */
export function mapMembers(node: JsonObject, change: (value: Json, key: string) => Json): JsonObject {
  let changed: Map<string, Json> | undefined;
  for (const key of Object.keys(node)) {
    const value = node[key] as Json;
    const next = change(value, key);
    if (next !== value) changed = (changed ?? new Map(Object.entries(node))).set(key, next);
  }
  return changed === undefined ? node : Object.fromEntries(changed);
}

export function mapItems(list: readonly Json[], change: (value: Json, index: number) => Json): readonly Json[] {
  const mapped = list.map(change);
  return mapped.some((item, index) => item !== list[index]) ? mapped : list;
}

function rewriteSlot(rewriter: Rewriter, slot: Slot, value: Json, pointer: string, depth: number): Json {
  if (slot.as === 'one') return rewrite(rewriter, slot.kind, value, pointer, depth);
  if (slot.as === 'list') {
    return Array.isArray(value)
      ? mapItems(value, (item, index) => rewrite(rewriter, slot.kind, item, pointerTo(pointer, index), depth))
      : value;
  }
  if (!isObject(value)) return value;
  return mapMembers(value, (item, key) =>
    key.startsWith('x-') && slot.kind === 'pathItem'
      ? item
      : rewrite(rewriter, slot.kind, item, pointerTo(pointer, key), depth),
  );
}
