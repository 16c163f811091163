import { expect, test } from 'vitest';
import type { Effect } from '../../spec/index.ts';
import type { Target } from '../pipeline.ts';
import type { RequestSpec } from '../request-spec.ts';
import { aRequest, operation, targetServing } from '../testing/fixtures.ts';
import type { GuardOptions } from './effect-guard.ts';

async function guarded(guard: GuardOptions): Promise<{ target: Target; received: string[] }> {
  const received: string[] = [];
  const target = await targetServing(
    (request, response) => {
      received.push(`${request.method} ${request.url}`);
      response.end();
    },
    { guard },
  );
  return { target, received };
}

function withEffect(effect: Effect, method: 'GET' | 'POST' | 'DELETE' = 'GET'): RequestSpec {
  return aRequest({ operation: operation({ path: '/things', method, effect }) });
}

test('a request is not sent where its effect is not allowed, or where it could change something', async () => {
  const { target, received } = await guarded({ allow: ['read'] });
  await expect(target.send(withEffect('costly'))).rejects.toMatchObject({ code: 'effect-not-allowed' });
  await expect(target.send({ ...withEffect('read'), method: 'PATCH' })).rejects.toThrow('only reads are allowed');
  await target.send(withEffect('read'));
  await target.send({ ...withEffect('read'), method: 'HEAD' });
  expect(received).toEqual(['GET /api/things', 'HEAD /api/things']);
});

test('an operation gets no more requests than allowed, but deletions are not limited', async () => {
  const { target, received } = await guarded({ allow: ['read', 'reversible'], maxRequests: () => 2 });
  const outcomes = await Promise.allSettled(Array.from({ length: 4 }, () => target.send(withEffect('read'))));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  expect(outcomes.at(-1)).toMatchObject({ reason: { code: 'request-limit' } });
  for (let count = 0; count < 4; count += 1) await target.send(withEffect('reversible', 'DELETE'));
  expect(received).toHaveLength(6);
});

test('a request is not sent where its path is that of another operation', async () => {
  const { target, received } = await guarded({ allow: ['read'], addressesOther: ({ path }) => path?.['id'] === 'all' });
  await expect(target.send({ ...withEffect('read'), path: { id: 'all' } })).rejects.toMatchObject({
    code: 'other-operation',
  });
  expect(received).toEqual([]);
});
