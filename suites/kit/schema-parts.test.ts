import { expect, test } from 'vitest';
import { contractOf } from '../../spec/index.ts';
import type { JsonObject, Parameter } from '../../spec/index.ts';
import { parameterSchema } from './schema-parts.ts';

const kind = { type: 'string', enum: ['a', 'b'] };
const two = { anyOf: [{ type: 'integer' }, kind] };

test.each<readonly [what: string, schema: JsonObject, expected: JsonObject]>([
  ['null as an alternative', { anyOf: [kind, { type: 'null' }] }, kind],
  ['null as a type', { type: ['string', 'null'], minLength: 1 }, { type: 'string', minLength: 1 }],
  ['one part', { allOf: [kind], default: 'a' }, { ...kind, default: 'a' }],
  ['two parts, which stay', two, two],
  ['parts that list values', { anyOf: ['a', 'b'].map((each) => ({ type: 'string', enum: [each] })) }, kind],
])(
  'the schema of a parameter that may be null or is composed is that of its other values: %s',
  (_, schema, expected) => {
    const contract = contractOf(
      {
        openapi: '3.1.0',
        info: { title: 'one', version: '1' },
        paths: { '/things': { get: { parameters: [{ name: 'kind', in: 'query', schema }], responses: {} } } },
      },
      'test',
    );
    const found = parameterSchema(contract, contract.operations[0]?.parameters[0] as Parameter);
    expect(found).toMatchObject(expected);
    expect(found['type']).toBe(expected['type']);
  },
);
