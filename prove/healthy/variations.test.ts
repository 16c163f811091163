import { describe, expect, it } from 'vitest';
import { loadContract } from '../../spec/index.ts';
import { json, parsed } from '../proxy/reply.ts';
import type { Context, Outgoing } from '../proxy/message.ts';
import { callOf } from '../proxy/proxy.ts';
import { createRouter } from '../proxy/router.ts';
import { randomGroups, VARIATIONS } from './index.ts';
import { SINGLE } from './single.ts';

const context: Context = {
  tokens: {
    full: 'full',
    limited: 'limited',
    expired: 'expired',
    otherTenant: 'other',
    permissions: { 'RACI:management.accesscontrol': 'policies', 'RACI:management.aiagents': 'agents' },
  },
  route: createRouter(await loadContract()),
  send: () => Promise.resolve(json([{ id: '1' }, { id: '2' }])),
};

/** What a variation makes of a request for a list of policies, and of the response. */
async function listed(name: string, query: string): Promise<{ readonly query: string; readonly value: unknown }> {
  const request: Outgoing = {
    method: 'GET',
    path: '/api/v1/accesscontrolpolicies',
    query,
    headers: { authorization: 'Bearer full' },
    body: Buffer.alloc(0),
  };
  const make = VARIATIONS.find((each) => each.name === name)?.make;
  let sent = query;
  const reply = await make?.(context)(callOf(request, context), (changes) => {
    sent = changes?.query ?? sent;
    return Promise.resolve(json([{ id: '1' }]));
  });
  return { query: sent, value: reply && parsed(reply) };
}

describe('healthy variations', () => {
  it('have names of their own', () => {
    expect(new Set(VARIATIONS.map(({ name }) => name)).size).toBe(VARIATIONS.length);
  });

  it('change requests for the list of policies', async () => {
    expect(await listed('newest-first', 'take=5')).toMatchObject({ query: 'take=5&orderBy=createdAt&orderAsc=false' });
    expect(await listed('max-take-100', 'take=500')).toMatchObject({ query: 'take=100' });
  });

  it('change the list of policies', async () => {
    expect(await listed('policy-list-in-data', '')).toMatchObject({ value: { total: 2, data: [{ id: '1' }] } });
  });
});

describe('random groups', () => {
  const groups = randomGroups(SINGLE, 6, 3);

  it('have every variation once, the same with the same seed', () => {
    expect(groups.flat().toSorted()).toEqual(SINGLE.map(({ name }) => name).toSorted());
    expect(randomGroups(SINGLE, 6, 3)).toEqual(groups);
    expect(randomGroups(SINGLE, 6, 4)).not.toEqual(groups);
    expect(Math.max(...groups.map(({ length }) => length))).toBe(6);
  });

  it('have no two variations that decide the same', () => {
    for (const group of randomGroups(SINGLE, 50, 3)) {
      const decided = group.flatMap((name) => SINGLE.find((each) => each.name === name)?.decides ?? []);
      expect(new Set(decided).size).toBe(decided.length);
    }
  });
});
