import { isObject } from '../../json.ts';
import { pointerOfRef, readPointer } from '../../pointer.ts';
import type { Json, JsonObject } from '../../json.ts';
import type { Reporter } from '../report.ts';

/** The document that operations are read from, and the reporter of its problems. */
export interface Reading {
  readonly document: JsonObject;
  readonly report: Reporter;
}

/** An object of a description and its pointer, after resolving references. */
export interface LocatedNode {
  readonly node: JsonObject;
  readonly pointer: string;
}

const MAX_REF_CHAIN = 32;

/** Resolves the `$ref`s of a node that is not a schema; undefined if there is no object. */
export function follow(document: JsonObject, node: Json | undefined, pointer: string): LocatedNode | undefined {
  let place: LocatedNode | undefined = isObject(node) ? { node, pointer } : undefined;
  for (let step = 0; step < MAX_REF_CHAIN && place !== undefined; step += 1) {
    const ref = place.node['$ref'];
    if (typeof ref !== 'string') return place;
    const target = pointerOfRef(ref);
    const found = readPointer(document, target);
    place = isObject(found) ? { node: found, pointer: target } : undefined;
  }
  return undefined;
}

/** The string at a key; undefined if there is none. */
export function textOf(node: JsonObject, key: string): string | undefined {
  const value = node[key];
  return typeof value === 'string' ? value : undefined;
}
