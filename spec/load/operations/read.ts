import { isObject } from '../../json.ts';
import { readPointer } from '../../pointer.ts';
import type { Json, JsonObject } from '../../json.ts';
import type { Report } from '../problems.ts';

/** The document that operations are read from. */
export interface Reading {
  readonly document: JsonObject;
  readonly report: Report;
}

/** An object of a description and where it stands, after following its references. */
export interface Place {
  readonly node: JsonObject;
  readonly pointer: string;
}

const LONGEST_CHAIN = 32;

/** Follows the `$ref`s of something that is no schema; undefined where there is no object. */
export function follow(document: JsonObject, node: Json | undefined, pointer: string): Place | undefined {
  let place: Place | undefined = isObject(node) ? { node, pointer } : undefined;
  for (let step = 0; step < LONGEST_CHAIN && place !== undefined; step += 1) {
    const ref = place.node['$ref'];
    if (typeof ref !== 'string') return place;
    const target = decodeURIComponent(ref.slice(1));
    const found = readPointer(document, target);
    place = isObject(found) ? { node: found, pointer: target } : undefined;
  }
  return undefined;
}

/** A string under a key, or nothing. */
export function textOf(node: JsonObject, key: string): string | undefined {
  const value = node[key];
  return typeof value === 'string' ? value : undefined;
}
