import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { loadContract, parsedJson } from '../../spec/index.ts';
import { loadWritten, openapi } from '../../spec/testing/description-file.ts';
import { requestArbitrary } from '../parameters/request-arbitrary.ts';
import { isUnsatisfiable } from '../schema/arbitrary-for.ts';
import { invalidRequests } from './invalid-requests.ts';

const contract = await loadContract();

describe('invalid requests', () => {
  it.each(contract.operations.filter(({ body }) => body !== undefined).map(({ id }) => id))(
    'of %s are invalid',
    (id) => {
      const operation = contract.operation(id);
      const schema = operation?.body?.content[0]?.schema;
      if (operation === undefined || schema === undefined) throw new Error('unknown');
      const cases = invalidRequests(contract, operation);
      const arbitrary = requestArbitrary(contract, operation);
      const valid = isUnsatisfiable(arbitrary) ? undefined : arbitrary.simplest.body?.value;
      expect(cases.some(({ rawBody }) => rawBody !== undefined && parsedJson(rawBody) === undefined)).toBe(true);
      for (const { rawBody, request } of cases)
        if (rawBody === undefined && request.body !== undefined && !isDeepStrictEqual(request.body.value, valid))
          expect(contract.validate(schema, request.body.value).length).toBeGreaterThan(0);
    },
  );

  it('have the given name where a lenient parser finds one', () => {
    const operation = contract.operation('POST /aiagent');
    const cases = operation === undefined ? [] : invalidRequests(contract, operation, { name: 'by this run' });
    const lenient = /trailing comma|single quotes|comment|text after|repeated body|unquoted|NaN|line break|escape/;
    const named = cases.filter(({ label }) => lenient.test(label)).map(({ rawBody }) => rawBody);
    expect(named).toHaveLength(9);
    for (const body of named) expect(body).toContain('by this run');
  });

  it('name the violated constraint', () => {
    const operation = contract.operation('POST /aiagent');
    const cases = operation === undefined ? [] : invalidRequests(contract, operation);
    const names = cases.map(({ pointer, keyword }) => `${pointer} ${keyword}`);
    expect(names).toContain('/name minLength');
    expect(names).toContain('/name type');
    expect(names.some((name) => name.endsWith('required'))).toBe(true);
  });

  it('validate parameters by their text: a string parameter accepts any', () => {
    const operation = contract.operation('GET /accesscontrolpolicies');
    const wrong = operation === undefined ? [] : invalidRequests(contract, operation).map(({ pointer }) => pointer);
    expect(wrong).toContain('/page');
    expect(wrong).toContain('/filterActive');
    expect(wrong).not.toContain('/searchName');
  });

  it('do not need a read-only property: it is required of responses only', async () => {
    const properties = { id: { type: 'integer', readOnly: true }, name: { type: 'string', minLength: 1 } };
    const schema = { type: 'object', required: ['id', 'name'], properties };
    const requestBody = { required: true, content: { 'application/json': { schema } } };
    const own = await loadWritten(openapi({ '/items': { post: { requestBody, responses: {} } } }));
    const operation = own.operation('POST /items') ?? expect.fail('unknown');
    const places = invalidRequests(own, operation).map(({ pointer, keyword }) => `${pointer} ${keyword}`);
    expect(places).toContain('/name minLength');
    expect(places).toContain(' required');
    expect(places.filter((each) => each.startsWith('/id'))).toEqual([]);
    const arbitrary = requestArbitrary(own, operation);
    if (isUnsatisfiable(arbitrary)) throw new Error(arbitrary.reason);
    for (const { body } of arbitrary.sample(20, 1)) expect(Object.keys(Object(body?.value))).toEqual(['name']);
  });
});
