/** Kinds of nodes of an OpenAPI 3 document that lead to schemas. */
export type Kind =
  | 'document' | 'components' | 'pathItem' | 'operation' | 'parameter' | 'body' | 'response' | 'media' | 'encoding' | 'schema';

/** What stands under a key: one node, a list of nodes, or a map of nodes. */
export interface Slot {
  readonly kind: Kind;
  readonly as: 'one' | 'list' | 'map';
}

const one = (kind: Kind): Slot => ({ kind, as: 'one' });
const list = (kind: Kind): Slot => ({ kind, as: 'list' });
const map = (kind: Kind): Slot => ({ kind, as: 'map' });

/** Methods that an OpenAPI path item can hold. */
export const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

/** Where schemas stand in an OpenAPI 3 document. */
export const SHAPE = {
  document: { paths: map('pathItem'), components: one('components') },
  components: {
    schemas: map('schema'), parameters: map('parameter'), responses: map('response'), requestBodies: map('body'),
    headers: map('parameter'), pathItems: map('pathItem'),
  },
  pathItem: { parameters: list('parameter'), ...Object.fromEntries(METHODS.map((method) => [method, one('operation')])) },
  operation: { parameters: list('parameter'), requestBody: one('body'), responses: map('response') },
  parameter: { schema: one('schema'), content: map('media') },
  body: { content: map('media') },
  response: { content: map('media'), headers: map('parameter') },
  media: { schema: one('schema'), encoding: map('encoding') },
  encoding: { headers: map('parameter') },
} satisfies Record<Exclude<Kind, 'schema'>, Record<string, Slot>> as Record<Exclude<Kind, 'schema'>, Readonly<Record<string, Slot>>>;

const schema = 'schema';

/** Where schemas stand in a schema of the 2020-12 dialect. */
export const SUBSCHEMAS: Readonly<Record<string, Slot>> = {
  properties: map(schema), patternProperties: map(schema), $defs: map(schema), definitions: map(schema), dependentSchemas: map(schema),
  allOf: list(schema), anyOf: list(schema), oneOf: list(schema), prefixItems: list(schema),
  items: one(schema), contains: one(schema), additionalProperties: one(schema), propertyNames: one(schema), not: one(schema),
  if: one(schema), then: one(schema), else: one(schema), unevaluatedItems: one(schema), unevaluatedProperties: one(schema),
  additionalItems: one(schema), contentSchema: one(schema),
};
