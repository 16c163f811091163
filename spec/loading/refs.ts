import { isObject, without } from '../json.ts';
import { escapeToken, existingPointer, pointerFragment, pointerTo, readPointer } from '../pointer.ts';
import { decodePercent } from '../serialise/encode.ts';
import { rewriteDocument } from './rewrite.ts';
import { relaxed } from './schema/relaxed.ts';
import type { Json, JsonObject } from '../json.ts';
import type { Reporter } from './report.ts';
import type { NodeKind } from './rewrite.ts';

/** Section of each kind of component, to repair misspelt references. */
const COMPONENT_SECTIONS: Partial<Record<NodeKind, string>> = {
  schema: '/components/schemas',
  parameter: '/components/parameters',
  response: '/components/responses',
  body: '/components/requestBodies',
};

/** Stands for the target of an anchor that several schemas define: which one is meant depends on the way to it. */
export const AMBIGUOUS = Symbol('ambiguous');

/** Pointers to the schemas with an anchor (`#name`) or an identifier. */
export type Anchors = Map<string, string | typeof AMBIGUOUS>;

/** A reference to a place in a schema with an identifier, as a pointer into the document; undefined if there is no such place. */
function belowIdentifier(document: Json, anchors: Anchors, ref: string, pointer: string): string | undefined {
  const [base = '', fragment = ''] = ref.split('#', 2);
  for (const [id, target] of anchors) {
    if (id.startsWith('#') || target === AMBIGUOUS) continue;
    const place = `${target}${decodePercent(fragment)}`;
    const isMeant = base === '' ? pointer.startsWith(`${target}/`) : base === id;
    if (isMeant && readPointer(document, place) !== undefined) return `#${place}`;
  }
  return undefined;
}

/** Finds and caches the targets of references. */
function referenceReader(
  document: Json,
  anchors: Anchors,
): (ref: string, kind: NodeKind) => { readonly pointer: string; readonly exact: boolean } | undefined {
  const known = new Map<string, { readonly pointer: string; readonly exact: boolean } | undefined>();
  const located = (pointer: string): string | undefined =>
    readPointer(document, pointer) === undefined ? throughRefs(document, pointer) : pointer;
  const read = (ref: string, kind: NodeKind): { readonly pointer: string; readonly exact: boolean } | undefined => {
    const anchored = anchors.get(ref) ?? anchors.get(decodePercent(ref));
    if (typeof anchored === 'string') return { pointer: anchored, exact: true };
    const fragment = ref.startsWith('#') ? ref.slice(1) : undefined;
    const exact =
      fragment === undefined
        ? undefined
        : [fragment, decodePercent(fragment)]
            .filter((pointer) => pointer === '' || pointer.startsWith('/'))
            .map(located)
            .find((pointer) => pointer !== undefined);
    if (exact !== undefined) return { pointer: exact, exact: true };
    const guess = guessed(document, decodePercent(ref), kind);
    return guess === undefined ? undefined : { pointer: guess, exact: false };
  };
  return (ref, kind) => {
    const key = `${kind} ${ref}`;
    if (!known.has(key)) known.set(key, read(ref, kind));
    return known.get(key);
  };
}

/** Limit for the references that lead to one target. */
const MAX_HOPS = 20;

/** The place that a pointer means if it passes through other references, as bundlers write it; undefined if there is none. */
function throughRefs(document: Json, pointer: string): string | undefined {
  let place = pointer;
  for (let hop = 0; hop < MAX_HOPS; hop += 1) {
    const reached = existingPointer(document, place);
    if (reached === place) return place;
    const node = readPointer(document, reached);
    const ref = isObject(node) ? node['$ref'] : undefined;
    if (typeof ref !== 'string' || !ref.startsWith('#/')) return undefined;
    place = decodePercent(ref.slice(1)) + place.slice(reached.length);
  }
  return undefined;
}

function guessed(document: Json, ref: string, kind: NodeKind): string | undefined {
  const home = COMPONENT_SECTIONS[kind];
  const components = home === undefined ? undefined : readPointer(document, home);
  if (home === undefined || !isObject(components)) return undefined;
  const last = ref.slice(Math.max(ref.lastIndexOf('/'), ref.lastIndexOf('#')) + 1);
  const afterHome = /^#?\/?(?:components\/\w+|definitions|parameters|responses)\/(.+)$/.exec(ref)?.[1] ?? last;
  const names = Object.keys(components);
  const found =
    names.find((name) => name === afterHome || name === last) ??
    names.find((name) => name.toLowerCase() === afterHome.toLowerCase());
  return found === undefined ? undefined : `${home}/${escapeToken(found)}`;
}

/** Rewrites each `$ref` as a pointer into the document, and removes those without a target; a parameter becomes false. */
export function resolveRefs(document: JsonObject, anchors: Anchors, report: Reporter): JsonObject {
  const find = referenceReader(document, anchors);
  const after = (kind: NodeKind, node: Json, pointer: string): Json => {
    if (!isObject(node) || node['$ref'] === undefined) return node;
    const ref = node['$ref'];
    const dropped = kind === 'schema' ? relaxed(node, '$ref') : kind === 'parameter' ? false : without(node, '$ref');
    if (typeof ref === 'string' && anchors.get(ref) === AMBIGUOUS) return dropped;
    const own = typeof ref === 'string' ? belowIdentifier(document, anchors, ref, pointer) : undefined;
    const target = typeof ref === 'string' ? find(own ?? ref, kind) : undefined;
    const fragment = target === undefined ? undefined : pointerFragment(target.pointer);
    if (target?.exact === true) return fragment === ref || fragment === undefined ? node : { ...node, $ref: fragment };
    const at = pointerTo(pointer, '$ref');
    const message = `${JSON.stringify(ref)} does not exist.`;
    if (target !== undefined) {
      report.warning('ref', at, message, `Read as #${target.pointer}.`);
      return { ...node, $ref: pointerFragment(target.pointer) };
    }
    report.error('ref', at, message, 'Define it, or correct the reference. Any value is allowed.');
    return dropped;
  };
  return rewriteDocument({ after }, document);
}
