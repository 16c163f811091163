import { assert, jsonValue, property } from 'fast-check';
import { expect, test } from 'vitest';
import { readPointer } from '../spec/index.ts';
import { exactNumbers } from './exact-numbers.ts';

test('numbers beyond 2^53 are told as they are written', () => {
  const json = '{"a/b":[{"offset":9223372036854775807},-1.50e+3],"s":"1,2]\\"","~":{"":9007199254740993}}';
  expect(exactNumbers(Buffer.from(json))).toEqual(
    new Map([
      ['/a~1b/0/offset', '9223372036854775807'],
      ['/a~1b/1', '-1.50e+3'],
      ['/~0/', '9007199254740993'],
    ]),
  );
  expect(exactNumbers(' 12 ')).toEqual(new Map([['', '12']]));
});

test('each number is found where its pointer says, in any JSON', () => {
  assert(
    property(jsonValue(), (value) => {
      const json = JSON.stringify(value);
      for (const [pointer, number] of exactNumbers(json))
        expect(Number(number)).toBe(readPointer(JSON.parse(json), pointer));
      const count = json.replace(/"(?:[^"\\]|\\.)*"/gs, '').match(/-?\d[\d.eE+-]*/g)?.length ?? 0;
      expect(exactNumbers(json).size).toBeLessThanOrEqual(count);
    }),
  );
});
