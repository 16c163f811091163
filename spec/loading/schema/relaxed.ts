import { isObject, without } from '../../json.ts';
import { pointerOfRef, readPointer } from '../../pointer.ts';
import type { Json, JsonObject } from '../../json.ts';

/** Marks a schema that lacks a keyword which cannot be used: it accepts more values than are meant. */
const RELAXED = 'x-assay-relaxed';

/** The schema without keywords that cannot be used. */
export function relaxed(schema: JsonObject, ...keywords: readonly string[]): JsonObject {
  return { ...without(schema, ...keywords), [RELAXED]: true };
}

/** True if a schema is relaxed, or one in it or that it refers to with a `$ref`, or with the keyword that stands for it. */
export function isRelaxed(document: JsonObject, schema: Json | undefined, refKeyword: string): boolean {
  const seen = new Set<Json | undefined>();
  const stack = [schema];
  while (stack.length > 0) {
    const node = stack.pop();
    if (typeof node !== 'object' || node === null || seen.has(node)) continue;
    seen.add(node);
    stack.push(...(Object.values(node) as readonly Json[]));
    if (!isObject(node)) continue;
    if (node[RELAXED] === true) return true;
    const { $ref: ref, [refKeyword]: pointer } = node;
    if (typeof ref === 'string') stack.push(readPointer(document, pointerOfRef(ref)));
    if (typeof pointer === 'string') stack.push(readPointer(document, pointer));
  }
  return false;
}
