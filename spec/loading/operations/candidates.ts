import { isObject, scalarText } from '../../json.ts';
import { pointerTo } from '../../pointer.ts';
import { METHODS } from '../rewrite.ts';
import { follow, textOf } from './read.ts';
import type { Method } from '../../contract.ts';
import type { Json, JsonObject } from '../../json.ts';
import type { Reading } from './read.ts';

/** An operation object of the description and the paths of its servers. */
export interface Candidate {
  readonly method: Method;
  readonly template: string;
  /** The path as written: the template may have lost a fragment. */
  readonly written: string;
  readonly pointer: string;
  readonly node: JsonObject;
  readonly item: JsonObject;
  readonly itemPointer: string;
  readonly servers: readonly string[];
}

function filled(server: JsonObject, url: string): string {
  const variables = isObject(server['variables']) ? server['variables'] : {};
  return url.replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const variable = variables[name];
    return isObject(variable) ? scalarText(variable['default']) : '';
  });
}

/** The base of URLs that are relative: those have its origin. */
const BASE = 'http://description.invalid';

interface Server {
  readonly origin: string;
  /** Without a slash at the end. */
  readonly path: string;
}

function serverOf(server: Json): readonly Server[] {
  const url = isObject(server) ? textOf(server, 'url') : undefined;
  if (url === undefined || !isObject(server)) return [];
  try {
    const { origin, pathname } = new URL(filled(server, url), BASE);
    return [{ origin, path: decodeURI(pathname).replace(/\/+$/, '') }];
  } catch {
    return [];
  }
}

/** True for servers for `P` and `P/v1`, where `P` ends in `/api`, that are not of two hosts. */
function areVersions(plain: Server, versioned: Server): boolean {
  const isSameHost = plain.origin === versioned.origin || [plain.origin, versioned.origin].includes(BASE);
  return isSameHost && plain.path.endsWith('/api') && versioned.path === `${plain.path}/v1`;
}

/** The path prefixes of an operation: `P` and `P/v1` if there are servers for both, else that of the first server. */
function serverPaths(reading: Reading, ...levels: readonly JsonObject[]): readonly string[] {
  const written = levels.map((level) => level['servers']).find((list) => Array.isArray(list) && list.length > 0) ?? [];
  const list: readonly Json[] = Array.isArray(written) ? written : [];
  const servers = list.flatMap(serverOf);
  if (servers.length < list.length && servers.length === 0)
    reading.report.warning('server', '/servers', 'No server has a valid URL.', 'Paths are relative to --base-url.');
  const plain = servers.find((each) => servers.some((other) => areVersions(each, other)));
  return plain === undefined ? [servers[0]?.path ?? ''] : [plain.path, `${plain.path}/v1`];
}

function templateOf(reading: Reading, written: string, pointer: string): string {
  const template = (written.startsWith('/') ? written : `/${written}`).split('#')[0] ?? '/';
  if (template !== written)
    reading.report.warning('path', pointer, `"${written}" is not a path.`, `Read as ${template}.`);
  if (/^\/\{[^{}/]+\}$/.test(template)) {
    const hint = 'Requests to unknown paths may reach it. Use --skip if its results mislead.';
    reading.report.note('catch-all', pointer, `${template} matches any path with one segment.`, hint);
  }
  return template;
}

function ofPath(reading: Reading, written: string, item: Json): readonly Candidate[] {
  const at = pointerTo('', 'paths', written);
  const place = follow(reading.document, item, at);
  if (place === undefined) {
    reading.report.warning('path-item', at, `${written} is empty.`, 'Ignored.');
    return [];
  }
  const template = templateOf(reading, written, at);
  return Object.entries(METHODS).flatMap(([key, method]) => {
    const node = place.node[key];
    const pointer = pointerTo(place.pointer, key);
    if (node !== undefined && !isObject(node))
      reading.report.warning('operation', pointer, `${key} ${written} is not an operation.`, 'Ignored.');
    if (!isObject(node)) return [];
    const servers = serverPaths(reading, node, place.node, reading.document);
    return [{ method, template, written, pointer, node, item: place.node, itemPointer: place.pointer, servers }];
  });
}

function reportDuplicateIds(reading: Reading, candidates: readonly Candidate[]): void {
  const seen = new Map<string, string>();
  for (const { node, pointer } of candidates) {
    const id = node['operationId'];
    if (typeof id !== 'string') continue;
    const first = seen.get(id);
    if (first === undefined) seen.set(id, pointer);
    else {
      const hint = 'Give each its own id. Operations are identified by method and path.';
      reading.report.warning(
        'operation-id',
        pointerTo(pointer, 'operationId'),
        `${id} is also the id of #${first}.`,
        hint,
      );
    }
  }
}

/** All operation objects of a description. */
export function candidatesOf(reading: Reading): readonly Candidate[] {
  const paths = reading.document['paths'];
  const entries = isObject(paths) ? Object.entries(paths).filter(([path]) => !path.startsWith('x-')) : [];
  const candidates = entries.flatMap(([path, item]) => ofPath(reading, path, item));
  reportDuplicateIds(reading, candidates);
  return candidates;
}
