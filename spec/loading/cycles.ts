import { isObject } from '../json.ts';
import { pointerOfRef, pointerTo, readPointer } from '../pointer.ts';
import { rewriteDocument } from './rewrite.ts';
import { relaxed } from './schema/relaxed.ts';
import type { Json, JsonObject } from '../json.ts';
import type { Reporter } from './report.ts';

const ALTERNATIVES = ['allOf', 'anyOf', 'oneOf'] as const;
const CONDITIONS = ['not', 'if', 'then', 'else'] as const;

/** Pointers of the schemas that apply to the same value as this one. */
function sameValue(schema: JsonObject, pointer: string): readonly string[] {
  const ref = schema['$ref'];
  return [
    ...(typeof ref === 'string' ? [pointerOfRef(ref)] : []),
    ...ALTERNATIVES.flatMap((key) => {
      const list = schema[key];
      return Array.isArray(list) ? list.map((_, index) => pointerTo(pointer, key, index)) : [];
    }),
    ...CONDITIONS.flatMap((key) => (isObject(schema[key]) ? [pointerTo(pointer, key)] : [])),
  ];
}

/** Pointers of schemas whose `$ref` closes a cycle of schemas for the same value. */
function cyclicRefs(document: JsonObject, starts: readonly string[]): ReadonlySet<string> {
  const cyclic = new Set<string>();
  const done = new Set<string>();
  const path: string[] = [];
  const isRef = (pointer: string): boolean => {
    const schema = readPointer(document, pointer);
    return isObject(schema) && '$ref' in schema;
  };
  const visit = (pointer: string): void => {
    path.push(pointer);
    const schema = readPointer(document, pointer);
    for (const next of isObject(schema) ? sameValue(schema, pointer) : []) {
      const met = path.indexOf(next);
      const closer = met < 0 ? undefined : path.slice(met).findLast(isRef);
      if (closer !== undefined) cyclic.add(closer);
      else if (!done.has(next)) visit(next);
    }
    path.pop();
    done.add(pointer);
  };
  for (const start of starts) if (!done.has(start)) visit(start);
  return cyclic;
}

/** Removes references that would make a validator recurse without end. */
export function breakCycles(document: JsonObject, report: Reporter): JsonObject {
  const starts: string[] = [];
  rewriteDocument(
    {
      before: (kind, node, pointer) => {
        if (kind === 'schema' && isObject(node) && '$ref' in node) starts.push(pointer);
        return node;
      },
    },
    document,
  );
  const cyclic = cyclicRefs(document, starts);
  if (cyclic.size === 0) return document;
  const after = (kind: string, node: Json, pointer: string): Json => {
    if (kind !== 'schema' || !isObject(node) || !cyclic.has(pointer) || !('$ref' in node)) return node;
    report.error(
      'circle',
      pointerTo(pointer, '$ref'),
      'This schema refers to itself for the same value.',
      'Refer to it from its properties or items instead. Any value is allowed.',
    );
    return relaxed(node, '$ref');
  };
  return rewriteDocument({ after }, document);
}
