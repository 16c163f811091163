import type { Json, JsonObject } from '../../spec/index.ts';

const json = (schema: Json, type = 'application/json'): JsonObject => ({ content: { [type]: { schema } } });
const answers = (content: JsonObject, status = '200'): JsonObject => ({
  responses: { [status]: { description: 'OK', ...content } },
});
const fine: JsonObject = answers({});
const text: JsonObject = { type: 'string' };
const get = (content: JsonObject): JsonObject => ({ get: content });
const reads = (schema: Json): JsonObject => get(answers(json(schema)));
const takes = (schema: Json, type?: string): JsonObject => ({ post: { requestBody: json(schema, type), ...fine } });
const asks = (...parameters: readonly JsonObject[]): JsonObject => get({ parameters: [...parameters], ...fine });
const own = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const many = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `value-${index}`);

/** Schemas that only descriptions in the wild have. */
export const ODD_SCHEMAS: JsonObject = {
  OddSelf: own('OddSelf'),
  OddPing: { properties: { pong: own('OddPong') } },
  OddPong: { type: 'object', required: ['ping'], properties: { ping: { nullable: true, allOf: [own('OddPing')] } } },
  OddChain0: { type: 'object', required: ['kind'], properties: { kind: text } },
  OddChain1: { allOf: [own('OddChain0'), { type: 'object', properties: { one: { type: 'integer' } } }] },
  OddChain2: {
    allOf: [
      own('OddChain1'),
      { type: 'object', required: ['two'], properties: { two: { type: 'number', format: 'float' } } },
    ],
  },
  OddChain3: { allOf: [own('OddChain2')], description: 'a last one', nullable: true },
  OddCat: {
    type: 'object',
    required: ['petType'],
    properties: { petType: text, lives: { type: 'integer', minimum: 0, maximum: 9 } },
  },
  OddDog: { allOf: [own('OddChain0'), { type: 'object', required: ['petType'], properties: { petType: text } }] },
  OddPet: {
    oneOf: [own('OddCat'), own('OddDog')],
    discriminator: {
      propertyName: 'petType',
      mapping: { cat: '#/components/schemas/OddCat', dog: 'OddDog', bird: './elsewhere.yaml#/Bird' },
    },
  },
  OddLargeEnum: { type: 'string', enum: [...many(4_000)] },
  OddMixedEnum: { enum: [1, 'one', null, true, 1, 'one'] },
  OddNullableEnum: { type: 'string', nullable: true, enum: ['a', 'b'] },
  OddTwoClosed: {
    allOf: [
      { type: 'object', additionalProperties: false, properties: { a: text } },
      { type: 'object', additionalProperties: false, properties: { b: text } },
    ],
  },
  OddTypes: {
    type: 'object',
    'x-vendor': { type: 'array' },
    properties: {
      any: { type: 'any' },
      file: { type: 'file' },
      int: { type: 'int' },
      nothing: { type: 'null' },
      list: { type: 'array' },
      both: { type: ['string', 'null'] },
      none: null,
      properties: { type: 'object', properties: { type: text } },
    },
  },
  OddBounds: {
    type: 'object',
    properties: {
      twisted: { type: 'integer', minimum: 10, maximum: 1 },
      zero: { type: 'number', multipleOf: 0 },
      regex: { ...text, pattern: '([' },
      quoted: { ...text, maxLength: '10' },
      above: { type: 'number', minimum: 1, exclusiveMinimum: true },
      over: { type: 'number', exclusiveMinimum: 3 },
      huge: { type: 'integer', format: 'int64', maximum: 2 ** 63, minimum: -(2 ** 63) },
      far: { type: 'integer', format: 'int32', maximum: 1e20 },
      short: { ...text, format: 'int32' },
      decimal: { ...text, format: 'decimal' },
      time: { ...text, format: 'partial-time' },
      base: { ...text, format: 'binary' },
      when: { ...text, format: 'date-time', example: 'yesterday' },
    },
  },
  OddRequired: {
    type: 'object',
    required: ['absent', 'secret', 'id'],
    properties: {
      id: { ...text, readOnly: true },
      secret: { ...text, writeOnly: true },
      flag: { type: 'boolean', required: true },
    },
  },
  OddSibling: {
    type: 'object',
    properties: { kind: { ...own('OddLargeEnum'), description: 'beside a reference', nullable: true, example: 17 } },
  },
  'Odd name, with 100% of «signs»': { type: 'object', additionalProperties: { type: 'integer' } },
};

/** Paths, parameters, bodies and answers that only descriptions in the wild have. */
export const ODD_PATHS: JsonObject = {
  // The path of an operation of the API document, in another API.
  '/status': reads({ type: 'object', properties: { version: text } }),
  '/odd/self': reads(own('OddSelf')),
  '/odd/circle': reads(own('OddPing')),
  '/odd/chain': { ...reads(own('OddChain3')), ...takes(own('OddChain2')) },
  '/odd/pet': { ...reads(own('OddPet')), ...takes(own('OddPet')) },
  '/odd/enums': reads({
    type: 'object',
    properties: { large: own('OddLargeEnum'), mixed: own('OddMixedEnum'), nullable: own('OddNullableEnum') },
  }),
  '/odd/types': { ...reads(own('OddTypes')), ...takes(own('OddTypes')) },
  '/odd/bounds': { ...reads(own('OddBounds')), ...takes(own('OddBounds')) },
  '/odd/required': { ...reads(own('OddRequired')), ...takes(own('OddRequired')) },
  '/odd/sibling': reads(own('OddSibling')),
  '/odd/closed': reads(own('OddTwoClosed')),
  '/odd/signs': reads({ $ref: '#/components/schemas/Odd%20name%2C%20with%20100%25%20of%20%C2%ABsigns%C2%BB' }),
  '/odd/gone': { ...reads(own('OddNowhere')), ...takes({ $ref: 'elsewhere.yaml#/Model' }) },
  '/odd/only-default': get({ responses: { default: { description: 'all', ...json({ type: 'object' }) } } }),
  '/odd/no-responses': { get: {}, post: { 'x-nothing': true } },
  '/odd/only-error': get({ responses: { 404: { description: 'never here' } } }),
  '/odd/only-redirect': get({
    responses: { 302: { description: 'elsewhere', headers: { Location: { schema: text } } } },
  }),
  '/odd/range': get({ responses: { '2xx': { description: 'fine', ...json(text) }, '4XX': { description: 'no' } } }),
  '/odd/accepted': {
    post: { responses: { 202: { description: 'later' } } },
    put: {
      requestBody: { $ref: '#/components/requestBodies/Nowhere' },
      responses: { 200: { $ref: '#/components/responses/Nowhere' } },
    },
  },
  '/odd/any-type': get(answers(json({ type: 'object' }, '*/*'))),
  '/odd/any-application': get(answers(json({ type: 'array', items: text }, 'application/*'))),
  '/odd/vendor': get(
    answers(json({ type: 'object', properties: { a: text } }, 'application/vnd.odd.v1+json; charset=utf-8')),
  ),
  '/odd/xml': {
    ...get(answers(json({ type: 'object', xml: { name: 'odd' } }, 'application/xml'))),
    ...takes({ type: 'object' }, 'application/xml'),
  },
  '/odd/events': get(answers(json(text, 'text/event-stream'))),
  '/odd/lines': get(answers(json({ type: 'object' }, 'application/x-ndjson'))),
  '/odd/form': takes(
    { type: 'object', required: ['a'], properties: { a: text, b: { type: 'array', items: text } } },
    'application/x-www-form-urlencoded',
  ),
  '/odd/bytes': {
    ...takes({ ...text, format: 'binary' }, 'application/octet-stream'),
    put: { requestBody: json(text, 'text/plain'), ...fine },
  },
  '/odd/pdf': get(answers(json({ ...text, format: 'binary' }, 'application/pdf'))),
  '/odd/cookies': asks({ name: 'session', in: 'cookie', required: true, schema: text }),
  '/odd/deep': asks({
    name: 'filter',
    in: 'query',
    style: 'deepObject',
    explode: true,
    required: true,
    schema: {
      type: 'object',
      required: ['a'],
      properties: { a: { type: 'object', properties: { b: text } }, c: { type: 'array', items: { type: 'integer' } } },
    },
  }),
  '/odd/pipes': asks(
    {
      name: 'ids',
      in: 'query',
      style: 'pipeDelimited',
      required: true,
      schema: { type: 'array', minItems: 2, items: text },
    },
    { name: 'more', in: 'query', style: 'spaceDelimited', schema: { type: 'array', items: text } },
  ),
  '/odd/brackets': asks(
    { name: 'page[size]', in: 'query', schema: { type: 'integer' } },
    { name: '$filter', in: 'query', schema: text },
    { name: 'größe', in: 'query', schema: text },
    { name: 'ids[]', in: 'query', schema: { type: 'array', items: text } },
  ),
  '/odd/content': asks(
    { name: 'where', in: 'query', required: true, ...json({ type: 'object', properties: { a: text } }) },
    { name: 'bare', in: 'query' },
    { name: 'twice', in: 'query', schema: text },
    { name: 'twice', in: 'query', schema: { type: 'integer' } },
  ),
  '/odd/headers': asks(
    { name: 'Authorization', in: 'header', required: true, schema: text },
    { name: 'Content-Type', in: 'header', schema: text },
    { name: 'Accept', in: 'header', schema: text },
    { name: 'X-Many', in: 'header', required: true, schema: { type: 'array', items: { type: 'integer' } } },
    { name: 'x-id', in: 'header', required: true, schema: { ...text, format: 'uuid' } },
  ),
  '/odd/unknown-place': asks({ name: 'a', in: 'nowhere', schema: text }, { $ref: '#/components/parameters/Nowhere' }),
  '/odd/shared/{id}': {
    parameters: [
      { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
      { name: 'q', in: 'query', schema: text },
    ],
    get: { parameters: [{ name: 'q', in: 'query', schema: { type: 'integer' } }], ...fine },
    summary: 'what all have',
    servers: [{ url: '/' }],
    'x-odd': 1,
  },
  '/odd/matrix/{a}/{b}': asks(
    { name: 'a', in: 'path', required: true, style: 'matrix', schema: { type: 'array', items: text } },
    { name: 'b', in: 'path', required: true, style: 'label', schema: { type: 'integer' } },
  ),
  '/odd/undeclared/{a}/{b}': asks(),
  '/odd/optional/{a}': asks({ name: 'a', in: 'path', schema: { type: 'integer', minimum: 1 } }),
  '/odd/{name}:cancel': { post: { parameters: [{ name: 'name', in: 'path', required: true, schema: text }], ...fine } },
  '/odd/files/{path}.{ext}': asks(
    { name: 'path', in: 'path', required: true, schema: text },
    { name: 'ext', in: 'path', required: true, schema: { ...text, enum: ['csv', 'json'] } },
  ),
  '/odd/trailing/': reads({ type: 'array', items: text }),
  '/odd/same/{a}': asks({ name: 'a', in: 'path', required: true, schema: text }),
  '/odd/same/{b}': asks({ name: 'b', in: 'path', required: true, schema: text }),
  '/odd/CASE': reads(text),
  '/odd/größe/{名}': asks({ name: '名', in: 'path', required: true, schema: text }),
  '/odd/with space': reads(text),
  '/odd/query?mode=1': reads(text),
  '/odd/fragment#part': reads(text),
  'odd/no-slash': reads(text),
  '/odd//double': reads(text),
  '/odd/empty': {},
  '/odd/nothing': null,
  '/odd/null-operation': { get: null },
  '/odd/methods': { head: fine, options: fine, trace: fine, get: fine },
  '/odd/no-security': get({ security: [], ...fine }),
  '/odd/other-security': get({ security: [{ Nowhere: [] }, {}], ...fine }),
  '/odd/callbacks': {
    post: {
      requestBody: json({ type: 'object' }),
      callbacks: { done: { '{$request.body#/url}': { post: fine } } },
      responses: { 200: { description: 'OK', links: { next: { operationId: 'twice' } } } },
    },
  },
  '/odd/tuple': reads({ type: 'array', prefixItems: [text, { type: 'integer' }], items: false }),
  '/odd/map': reads({
    type: 'object',
    propertyNames: { pattern: '^[a-z]+$' },
    additionalProperties: { type: 'array', items: text, maxItems: 3 },
    maxProperties: 3,
  }),
  '/odd/not': reads({ not: { type: 'object' } }),
  '/odd/const': reads({ const: 'always' }),
  '/odd/always': { ...reads(true), ...takes(false) },
};
