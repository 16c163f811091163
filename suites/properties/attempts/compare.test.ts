import { expect, test } from 'vitest';
import { loadContract } from '../../../spec/index.ts';
import type { Exchange, Json } from '../../../spec/index.ts';
import { ENCODINGS, namesOf } from '../cases/encodings.ts';
import { compare } from './compare.ts';
import type { CaseOutcome } from './slot.ts';

const codes = {
  status: 'equal-json/status',
  'media-type': 'equal-json/media-type',
  shape: 'equal-json/shape',
} as const;

const updated = (sent: Json, json: Json): CaseOutcome => ({
  exchange: {
    request: { method: 'PUT', body: Buffer.from(JSON.stringify(sent)) },
    response: { status: 200, mediaType: 'application/json', body: Buffer.from(JSON.stringify(json)), json },
  } as unknown as Exchange,
  violations: [],
});

test('responses to updates may differ in the keys that a map has from earlier updates, but not in those that were sent', async () => {
  const operation = (await loadContract()).operation('PUT /aijob/{id}') ?? expect.fail('not there');
  const equivalence = { operation, requirement: '', names: ['one', 'two'], codes } as const;
  const sent = { metadata: { a: 'x' } };
  const first = updated(sent, { metadata: { a: 'x', old: 'y' } });
  expect(compare(equivalence, first, updated(sent, { metadata: { a: 'x', older: 'z' } }))).toEqual([]);
  expect(compare(equivalence, first, updated(sent, { metadata: { old: 'y' } }))).toHaveLength(1);
});

test.each(Object.entries(ENCODINGS))('a refusal of %s is named in plain words', async (name, encoding) => {
  const operation = (await loadContract()).operation('POST /clue') ?? expect.fail('not there');
  const equivalence = { operation, requirement: '', names: namesOf(encoding), codes };
  const served = updated({}, {});
  const refused = { ...served, exchange: { ...served.exchange, response: { status: 415 } as Exchange['response'] } };
  const [found] = compare(equivalence, served, refused as CaseOutcome);
  const [plain, how] = namesOf(encoding);
  expect(found?.message).toBe(`POST /clue refuses a request with ${how} (415) but accepts one with ${plain}`);
  expect(how).toContain(encoding.type ?? encoding.syntax ?? name);
});
