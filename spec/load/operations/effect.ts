import { EFFECTS } from '../../contract.ts';
import { textOf } from './read.ts';
import type { Effect, Method } from '../../contract.ts';
import type { JsonObject } from '../../json.ts';

/** Path templates by method, names of parameters blanked: what a description can undo. */
export type Removable = ReadonlySet<string>;

/** A path template without the names of its parameters, in lower case. */
export function blanked(path: string): string {
  return path
    .replace(/\{[^{}/]*\}/g, '{}')
    .replace(/\/+$/, '')
    .toLowerCase();
}

function isRemovable(path: string, removable: Removable): boolean {
  return removable.has(blanked(path));
}

/**
 * What an operation does: as `x-effect` says, else guessed. What we can create we must be able to delete: only where the item has a
 * DELETE are changes reversible.
 */
export function effectOf(operation: JsonObject, method: Method, path: string, removable: Removable): Effect {
  const written = textOf(operation, 'x-effect');
  const named = EFFECTS.find((effect) => effect === written);
  if (named !== undefined) return named;
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS' || method === 'TRACE') return 'read';
  if (method === 'POST') return isRemovable(`${path}/{}`, removable) ? 'reversible' : 'irreversible';
  return isRemovable(path, removable) && /\{[^{}/]*\}\/?$/.test(path) ? 'reversible' : 'irreversible';
}
