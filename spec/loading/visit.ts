import { isObject } from '../json.ts';
import type { Json, JsonObject } from '../json.ts';

/** Keywords whose value is data. */
const DATA: ReadonlySet<string> = new Set(['example', 'default', 'enum', 'const']);

/** Keys of objects whose own keys are names, such as a property `default` or the response `default`. */
const MAPS: ReadonlySet<string> = new Set(
  (
    'properties patternProperties $defs definitions dependentSchemas schemas responses content parameters headers ' +
    'requestBodies links callbacks pathItems paths encoding securitySchemes'
  ).split(' '),
);

type Kind = 'node' | 'map' | 'examples' | 'example' | 'data';

function kindBelow(kind: Kind, key: string, value: Json): Kind {
  if (kind === 'data' || (kind === 'example' && key === 'value')) return 'data';
  if (kind === 'examples') return 'example';
  if (kind === 'map') return 'node';
  if (key === 'examples') return Array.isArray(value) ? 'data' : 'examples';
  return DATA.has(key) ? 'data' : MAPS.has(key) && isObject(value) ? 'map' : 'node';
}

/** Visits each object of a description; `isData` in the values of examples, defaults and enumerations, where `$ref` is no reference. */
export function visitObjects(document: Json, visit: (node: JsonObject, isData: boolean) => void): void {
  const stack: (readonly [Json, Kind])[] = [[document, 'node']];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const [node, kind] = next;
    if (Array.isArray(node)) for (const item of node as readonly Json[]) stack.push([item, kind]);
    else if (isObject(node)) {
      visit(node, kind === 'data');
      for (const [key, value] of Object.entries(node)) stack.push([value, kindBelow(kind, key, value)]);
    }
  }
}
