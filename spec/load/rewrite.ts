import { isObject } from '../json.ts';
import { pointerTo } from '../pointer.ts';
import { SHAPE, SUBSCHEMAS } from './shape.ts';
import type { Json, JsonObject } from '../json.ts';
import type { Kind, Slot } from './shape.ts';

/** Deeper than this no description is read: what lies below counts as open. */
const MAX_DEPTH = 250;

/** Rebuilds a node: `before` on the way down, `after` on the way up. Pointers are those of the document that is read. */
export interface Rewriter {
  readonly before?: (kind: Kind, node: Json, pointer: string) => Json;
  readonly after?: (kind: Kind, node: Json, pointer: string) => Json;
  readonly tooDeep?: (pointer: string) => void;
}

/** Copies an OpenAPI 3 document and lets a rewriter change each node that leads to schemas. */
export function rewriteDocument(rewriter: Rewriter, document: JsonObject): JsonObject {
  const rewritten = rewrite(rewriter, 'document', document);
  return isObject(rewritten) ? rewritten : {};
}

/** Copies a part of an OpenAPI 3 document and lets a rewriter change each node that leads to schemas. */
export function rewrite(rewriter: Rewriter, kind: Kind, value: Json, pointer = '', depth = 0): Json {
  if (depth > MAX_DEPTH) {
    rewriter.tooDeep?.(pointer);
    return {};
  }
  const node = rewriter.before?.(kind, value, pointer) ?? value;
  const rebuilt = isObject(node) ? rewriteMembers(rewriter, kind, node, pointer, depth) : node;
  return rewriter.after?.(kind, rebuilt, pointer) ?? rebuilt;
}

function rewriteMembers(rewriter: Rewriter, kind: Kind, node: JsonObject, pointer: string, depth: number): JsonObject {
  const slots = kind === 'schema' ? SUBSCHEMAS : SHAPE[kind];
  return mapMembers(node, (value, key) => {
    const slot = Object.hasOwn(slots, key) ? slots[key] : undefined;
    return slot === undefined ? value : rewriteSlot(rewriter, slot, value, pointerTo(pointer, key), depth + 1);
  });
}

/** The object itself where no member changes: most of a large description is shared between its views. */
function mapMembers(node: JsonObject, change: (value: Json, key: string) => Json): JsonObject {
  let changed = false;
  const entries = Object.entries(node).map(([key, value]): [string, Json] => {
    const next = change(value, key);
    changed ||= next !== value;
    return [key, next];
  });
  return changed ? Object.fromEntries(entries) : node;
}

function mapItems(list: readonly Json[], change: (value: Json, index: number) => Json): readonly Json[] {
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
