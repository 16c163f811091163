import type { JsonObject, JsonSchema } from '../../spec/index.ts';

/** How references to named schemas begin in a dialect. */
export type RefTo = (name: string) => JsonSchema;

/** Names of models as a generator of descriptions writes them for generics and nested types. */
export const ODD_NAMES = {
  page: 'PaginatedResponse`1[[Some.Model, Some.Assembly, Version=1.0.0.0]]',
  nested: 'Outer+Inner',
  spaced: 'Map of text',
  slashed: 'a/b~c',
} as const;

/** An int32 without names, as all enums are. */
export const ENUM: JsonSchema = { type: 'integer', format: 'int32', enum: [0, 1, 2] };

const nullable = (schema: JsonObject): JsonSchema => ({ ...schema, nullable: true });
const text = { type: 'string' } as const;
const uuid = { type: 'string', format: 'uuid' } as const;
const time = { type: 'string', format: 'date-time' } as const;

/** A model of one kind of item; every seventh is odd in another way. */
export function itemModel(index: number, ref: RefTo): JsonObject {
  return {
    type: 'object',
    ...(index % 3 === 0 ? { required: ['name'] } : {}),
    properties: {
      id: uuid,
      name: index % 3 === 0 ? { ...text, minLength: 1 } : nullable(text),
      description: nullable(text),
      kind: ref('Kind'),
      createdAt: time,
      count: { type: 'integer', format: 'int32' },
      cost: { type: 'number', format: 'double' },
      enabled: { type: 'boolean' },
      tags: nullable({ type: 'array', items: text }),
      filter: ref('Filter'),
      ...oddMember(index, ref),
    },
    additionalProperties: false,
  };
}

function oddMember(index: number, ref: RefTo): JsonObject {
  const odd: readonly JsonObject[] = [
    { percent: { type: 'integer', minimum: 0, maximum: 100, exclusiveMaximum: true } },
    { code: { ...text, pattern: String.raw`^\p{L}[\w-]{2,8}$` } },
    { site: { ...text, format: 'uri' }, mail: { ...text, format: 'email' }, day: { ...text, format: 'date' } },
    { big: { type: 'integer', format: 'int64' }, step: { type: 'number', multipleOf: 0.01 } },
    { any: {}, maybe: { nullable: true }, map: { type: 'object', additionalProperties: text } },
    { bytes: { ...text, format: 'byte' }, span: { ...text, format: 'date-span' } },
    { owner: { allOf: [ref('Person')], nullable: true }, either: { oneOf: [text, { type: 'integer' }] } },
    { pair: { type: 'array', items: { type: 'integer' }, minItems: 2, maxItems: 2, uniqueItems: true } },
    { default: { ...text, default: 17 }, example: { ...text, example: { not: 'a text' } } },
    { net: { ...text, pattern: String.raw`(?i)\A[a-z]+\z` }, readonlyId: { ...uuid, readOnly: true } },
  ];
  return odd[index % odd.length] ?? {};
}

/** What the models share, recursion and oddly named ones among it. */
export function sharedModels(ref: RefTo): JsonObject {
  return {
    Kind: ENUM,
    Person: {
      type: 'object',
      properties: {
        name: nullable(text),
        boss: ref('Person'),
        reports: nullable({ type: 'array', items: ref('Person') }),
      },
    },
    Filter: {
      type: 'object',
      additionalProperties: false,
      properties: {
        objectTypeId: uuid,
        condition: nullable(text),
        value: nullable({ type: 'array', items: {} }),
        rules: nullable({ type: 'array', items: ref('Filter') }),
      },
    },
    [ODD_NAMES.nested]: { type: 'object', properties: { value: { type: 'integer', format: 'int64', nullable: true } } },
    [ODD_NAMES.spaced]: { type: 'object', additionalProperties: { type: 'string' } },
    [ODD_NAMES.slashed]: { allOf: [ref('Person'), { type: 'object', properties: { extra: ref(ODD_NAMES.nested) } }] },
    Error: { type: 'object', properties: { title: nullable(text), status: nullable({ type: 'integer' }) } },
  };
}

/** A page of some model. */
export function pageOf(item: JsonSchema): JsonObject {
  return {
    type: 'object',
    required: ['totalCount', 'pageSize', 'currentPage'],
    additionalProperties: false,
    properties: {
      data: { type: 'array', items: item, nullable: true },
      totalCount: { type: 'integer' },
      pageSize: { type: 'integer' },
      currentPage: { type: 'integer' },
      totalPages: { type: 'integer', readOnly: true },
    },
  };
}
