import { beforeEach, expect, test } from 'vitest';
import type { Parameter } from '../../spec/index.ts';
import type { Target } from '../pipeline.ts';
import { operation, targetServing } from '../testing/fixtures.ts';

const TAKE: Parameter = {
  name: 'take',
  in: 'query',
  required: false,
  style: 'form',
  explode: true,
  allowReserved: false,
  schema: { pointer: '', schema: { type: 'integer', default: 20 } },
};
const list = operation({ path: '/things', parameters: [TAKE] });

let target: Target;
let received: string[];
let most: number;

beforeEach(async () => {
  received = [];
  target = await targetServing((request, response) => {
    const { search, searchParams } = new URL(request.url ?? '', 'http://host');
    received.push(search);
    response.statusCode = Number(searchParams.get('take')) > most || searchParams.has('odd') ? 400 : 200;
    response.end('[]');
  });
});

async function statusFor(query: Record<string, number>, isExact = false): Promise<number | undefined> {
  const { response } = await target.send({ operation: list, query, isExact });
  return response?.status;
}

test.each([
  [50, ['?take=100', '?take=50', '?take=50', '?take=5']],
  [30, ['?take=100', '?take=50', '?take=20', '?take=20', '?take=5']],
])('a page of more than %i items that is refused is read with fewer, and so are later ones', async (limit, sent) => {
  most = limit;
  expect([await statusFor({ take: 100 }), await statusFor({ take: 90 }), await statusFor({ take: 5 })]).toEqual([
    200, 200, 200,
  ]);
  expect(received).toEqual(sent);
});

test('a request that is refused with small pages too, or that must be sent as it is, is refused', async () => {
  most = 50;
  expect([await statusFor({ take: 100, odd: 1 }), await statusFor({ take: 100 }, true)]).toEqual([400, 400]);
  expect(received.at(-1)).toBe('?take=100');
});
