import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { BrokerClock, localNow } from './clock.ts';
import { Membership } from './membership.ts';
import type { MembershipOptions } from './membership.ts';
import type { LaneTask, Tick } from './messages.ts';
import { Signer } from './signature.ts';
import { storedRequests } from './stored-requests.ts';
import type { Broker } from './broker.ts';

const signer = new Signer('key');

/** The limits of the lanes that an agent runs, two of three whose rate only the target limits. */
async function limitsOf(maxRate: number): Promise<readonly number[]> {
  const limits: number[] = [];
  let started = 0;
  const stored = new Map<string, string>();
  const put = async (_: string, items: readonly { id: string; text: string }[]): Promise<void> =>
    items.forEach(({ id, text }) => stored.set(id, text));
  const requests = storedRequests({ put } as unknown as Broker, signer, 'r', 'requests');
  await requests.put();
  const task: LaneTask = { run: 'r', trial: 1, lane: 0, requests: requests.reference, peakRate: 0, job: {} };
  const claim = { id: '', lostBefore: 0, complete: async () => {}, giveBack: async () => {}, extend: async () => true };
  const claims = [0, 1, 2].map((lane) => ({ ...claim, text: signer.sign({ ...task, lane }) }));
  let onTick: (text: string) => void = () => {};
  const broker = {
    claimer: async () => ({ next: async () => claims.shift(), close: async () => {} }),
    subscribe: async (_: string, onText: (text: string) => void) => {
      onTick = onText;
      return async () => {};
    },
    publish: async () => {},
    read: async (_: string, id: string) => stored.get(id),
  };
  const clock = new BrokerClock(async () => localNow());
  const never = new Promise<never>(() => {});
  const membership = new Membership({
    broker,
    signer,
    clock,
    maxRate,
    agent: 'a',
    zone: '',
    ownRate: 1000,
    onNote: () => {},
    announcement: { run: 'r', command: 'load', lockMs: 60_000, zones: [] },
    engine: {
      start: async () => {
        started += 1;
        const go = (_at: number, _from: number, limit: number): void => void limits.push(limit);
        return { ready: never, done: never, go, until() {}, stop() {} };
      },
    },
  } as unknown as MembershipOptions);
  await membership.join();
  const tick: Tick = {
    run: 'r',
    sentAt: 1,
    state: 'prepare',
    trial: 1,
    free: 3,
    each: 2,
    most: 4,
    boundMs: 0,
    committedAt: 0,
    committed: {},
  };
  onTick(signer.sign(tick));
  await vi.waitFor(() => expect(started).toBe(2));
  await delay(0);
  onTick(signer.sign({ ...tick, sentAt: 2, state: 'run', t0: localNow() }));
  onTick(signer.sign({ ...tick, sentAt: 3, state: 'end' }));
  await membership.ended;
  return limits;
}

it('the lanes of an agent share its limit, not the lanes of all agents', async () => {
  expect(await limitsOf(100)).toEqual([50, 50]);
  expect(await limitsOf(Infinity)).toEqual([Infinity, Infinity]);
});
