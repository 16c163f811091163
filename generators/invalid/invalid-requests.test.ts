import { describe, expect, it } from 'vitest';
import { loadContract } from '../../spec/index.ts';
import { rawBodies } from '../boundary/raw-bodies.ts';
import { interestingFor } from '../boundary/interesting.ts';
import { invalidRequests } from './invalid-requests.ts';

const contract = await loadContract();

describe('invalid requests', () => {
  it.each(contract.operations.filter(({ body }) => body !== undefined).map(({ id }) => id))(
    'of %s really are invalid',
    (id) => {
      const operation = contract.operation(id);
      const schema = operation?.body?.content[0]?.schema;
      if (operation === undefined || schema === undefined) throw new Error('unknown');
      const cases = invalidRequests(contract, operation);
      expect(cases.filter(({ certainty }) => certainty === 'certain').length).toBeGreaterThan(0);
      for (const { rawBody, certainty, where, request } of cases) {
        if (certainty === 'certain') expect(() => JSON.parse(rawBody ?? '{}')).toThrow(SyntaxError);
        if (rawBody === undefined && where === 'body' && request.body !== undefined)
          expect(contract.validate(schema, request.body.value).length).toBeGreaterThan(0);
      }
    },
  );

  it('names the constraint that is broken', () => {
    const operation = contract.operation('POST /aiagent');
    const cases = operation === undefined ? [] : invalidRequests(contract, operation);
    const names = cases.map(({ pointer, keyword }) => `${pointer} ${keyword}`);
    expect(names).toContain('/name minLength');
    expect(names).toContain('/name type');
    expect(names.some((name) => name.endsWith('required'))).toBe(true);
  });

  it('judges parameters by their text: a text parameter takes any', () => {
    const operation = contract.operation('GET /accesscontrolpolicies');
    const wrong = operation === undefined ? [] : invalidRequests(contract, operation).map(({ pointer }) => pointer);
    expect(wrong).toContain('/page');
    expect(wrong).toContain('/filterActive');
    expect(wrong).not.toContain('/searchName');
  });
});

describe('boundary values', () => {
  it('deviate in one respect and are valid', () => {
    const schema = contract.operation('POST /aiagent')?.body?.content[0]?.schema;
    const found = schema === undefined ? [] : [...interestingFor(contract, schema)];
    expect(found.length).toBeGreaterThan(80);
    expect(found.filter(({ value }) => schema === undefined || contract.validate(schema, value).length > 0)).toEqual(
      [],
    );
  });

  it('are well-formed JSON where they go as text', () => {
    for (const { text } of rawBodies({ name: 'Ada', inner: { a: 1 } }))
      expect(() => JSON.parse(text.replace(/^\uFEFF/, ''))).not.toThrow();
  });
});
