import { isObject } from '../../json.ts';
import { pointerTo } from '../../pointer.ts';
import { METHODS } from '../shape.ts';
import { follow } from './read.ts';
import { serverPaths } from './servers.ts';
import type { Method } from '../../contract.ts';
import type { Json, JsonObject } from '../../json.ts';
import type { Reading } from './read.ts';

/** An operation object of the description, and the server paths under which it stands. */
export interface Candidate {
  readonly method: Method;
  readonly template: string;
  readonly pointer: string;
  readonly node: JsonObject;
  readonly item: JsonObject;
  readonly itemPointer: string;
  readonly servers: readonly string[];
}

function templateOf(reading: Reading, written: string, pointer: string): string {
  const template = (written.startsWith('/') ? written : `/${written}`).split('#')[0] ?? '/';
  if (template !== written) {
    reading.report({
      code: 'path',
      severity: 'warning',
      pointer,
      message: `"${written}" is no path.`,
      mend: `Read as ${template}.`,
    });
  }
  if (/^\/\{[^{}/]+\}$/.test(template)) {
    reading.report({
      code: 'catch-all',
      severity: 'note',
      pointer,
      message: `${template} matches any path of one step.`,
      mend: 'Its answers say little about others; skip it with --skip if they mislead.',
    });
  }
  return template;
}

function ofPath(reading: Reading, written: string, item: Json): readonly Candidate[] {
  const at = pointerTo('', 'paths', written);
  const place = follow(reading.document, item, at);
  if (place === undefined) {
    reading.report({
      code: 'path-item',
      severity: 'warning',
      pointer: at,
      message: `${written} describes nothing.`,
      mend: 'Left out.',
    });
    return [];
  }
  const template = templateOf(reading, written, at);
  return Object.entries(METHODS).flatMap(([key, method]) => {
    const node = place.node[key];
    const pointer = pointerTo(place.pointer, key);
    if (node !== undefined && !isObject(node)) {
      reading.report({
        code: 'operation',
        severity: 'warning',
        pointer,
        message: `${key} ${written} is no operation.`,
        mend: 'Left out.',
      });
    }
    if (!isObject(node)) return [];
    const servers = serverPaths(reading, node, place.node, reading.document);
    return [{ method, template, pointer, node, item: place.node, itemPointer: place.pointer, servers }];
  });
}

function tellTwins(reading: Reading, candidates: readonly Candidate[]): void {
  const seen = new Map<string, string>();
  for (const { node, pointer } of candidates) {
    const id = node['operationId'];
    if (typeof id !== 'string') continue;
    const first = seen.get(id);
    if (first === undefined) seen.set(id, pointer);
    else
      reading.report({
        code: 'operation-id',
        severity: 'warning',
        pointer: pointerTo(pointer, 'operationId'),
        message: `${id} is also the id of #${first}.`,
        mend: 'Give each its own; operations are told apart by method and path.',
      });
  }
}

/** All operation objects of a description. */
export function candidatesOf(reading: Reading): readonly Candidate[] {
  const paths = reading.document['paths'];
  const entries = isObject(paths) ? Object.entries(paths).filter(([path]) => !path.startsWith('x-')) : [];
  const candidates = entries.flatMap(([path, item]) => ofPath(reading, path, item));
  tellTwins(reading, candidates);
  return candidates;
}
