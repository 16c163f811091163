import type { Method } from '../contract.ts';

/** Kinds of nodes of an OpenAPI 3 document that lead to schemas. */
export type Kind =
  | 'document'
  | 'components'
  | 'pathItem'
  | 'operation'
  | 'parameter'
  | 'body'
  | 'response'
  | 'media'
  | 'encoding'
  | 'schema';

/** What stands under a key: one node, a list of nodes, or a map of nodes. */
export interface Slot {
  readonly kind: Kind;
  readonly as: 'one' | 'list' | 'map';
}

const one = (kind: Kind): Slot => ({ kind, as: 'one' });
const list = (kind: Kind): Slot => ({ kind, as: 'list' });
const map = (kind: Kind): Slot => ({ kind, as: 'map' });

function each(slot: Slot, ...keywords: readonly string[]): Readonly<Record<string, Slot>> {
  return Object.fromEntries(keywords.map((keyword) => [keyword, slot]));
}

/** Methods that an OpenAPI path item can hold. */
export const METHODS = {
  get: 'GET',
  put: 'PUT',
  post: 'POST',
  delete: 'DELETE',
  options: 'OPTIONS',
  head: 'HEAD',
  patch: 'PATCH',
  trace: 'TRACE',
} as const satisfies Record<string, Method>;

/** Where schemas stand in an OpenAPI 3 document. */
export const SHAPE = {
  document: { paths: map('pathItem'), components: one('components') },
  components: {
    schemas: map('schema'),
    parameters: map('parameter'),
    responses: map('response'),
    requestBodies: map('body'),
    headers: map('parameter'),
    pathItems: map('pathItem'),
  },
  pathItem: { parameters: list('parameter'), ...each(one('operation'), ...Object.keys(METHODS)) },
  operation: { parameters: list('parameter'), requestBody: one('body'), responses: map('response') },
  parameter: { schema: one('schema'), content: map('media') },
  body: { content: map('media') },
  response: { content: map('media'), headers: map('parameter') },
  media: { schema: one('schema'), encoding: map('encoding') },
  encoding: { headers: map('parameter') },
} satisfies Record<Exclude<Kind, 'schema'>, Record<string, Slot>> as Record<
  Exclude<Kind, 'schema'>,
  Readonly<Record<string, Slot>>
>;

/** Where schemas stand in a schema of the 2020-12 dialect. */
export const SUBSCHEMAS: Readonly<Record<string, Slot>> = {
  ...each(map('schema'), 'properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'),
  ...each(list('schema'), 'allOf', 'anyOf', 'oneOf', 'prefixItems'),
  ...each(
    one('schema'),
    'items',
    'contains',
    'additionalProperties',
    'propertyNames',
    'not',
    'if',
    'then',
    'else',
    'unevaluatedItems',
    'unevaluatedProperties',
    'additionalItems',
    'contentSchema',
  ),
};
