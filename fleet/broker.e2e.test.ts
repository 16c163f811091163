import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openBroker } from './broker.ts';
import type { Broker } from './broker.ts';
import { BROKERS, POSTGRES } from './testing/brokers.ts';
import type { TestBroker } from './testing/brokers.ts';

const LOCK_MS = 1_000;

describe.each([...BROKERS, ...POSTGRES])('a fleet on $name', ({ open }) => {
  let server: TestBroker;
  let broker: Broker;
  beforeAll(async () => {
    server = await open();
    broker = await openBroker(server);
  });
  afterAll(async () => {
    await broker.close();
    await server.close();
  });

  it('gives an item to one owner, and to another when its lock has ended', async () => {
    const stop = await broker.reclaim('lanes-a', LOCK_MS);
    const [first, second] = [await broker.claimer('lanes-a', LOCK_MS), await broker.claimer('lanes-a', LOCK_MS)];
    await broker.put('lanes-a', [{ id: 'x', text: '1' }]);
    await broker.put('lanes-a', [{ id: 'x', text: '2' }]);
    const claim = await first.next();
    expect(claim).toMatchObject({ id: 'x', text: '1', lostBefore: 0 });
    expect([await second.next(), await broker.counts('lanes-a')]).toEqual([undefined, { free: 0, owned: 1 }]);
    expect(await claim?.extend(LOCK_MS)).toBe(true);
    const taken = await vi.waitFor(
      async () => {
        const next = await second.next();
        expect(next).toBeDefined();
        return next;
      },
      { timeout: 10_000, interval: 50 },
    );
    expect(taken).toMatchObject({ id: 'x', lostBefore: 1 });
    expect(await claim?.extend(LOCK_MS)).toBe(false);
    await taken?.giveBack('3');
    const last = await first.next();
    expect(last).toMatchObject({ id: 'x', text: '3', lostBefore: 1 });
    await last?.complete();
    expect([await broker.counts('lanes-a'), await broker.missing('lanes-a', ['x'])]).toEqual([
      { free: 0, owned: 0 },
      ['x'],
    ]);
    await stop();
  });

  it('carries what is published to all who listen, and what is kept of it to who asks for that', async () => {
    const heard: string[] = [];
    const close = await broker.subscribe('ctl-a', (text) => heard.push(text));
    await vi.waitFor(
      async () => {
        await broker.publish('ctl-a', 'tick');
        expect(heard).toContain('tick');
      },
      { timeout: 10_000 },
    );
    await close();
    const earlier: string[] = [];
    const later: string[] = [];
    const closeEarlier = await broker.subscribe('slices-a', (text) => earlier.push(text), 'start');
    await broker.publish('slices-a', 'one');
    await broker.publish('slices-a', 'two');
    await vi.waitFor(() => expect(earlier).toEqual(['one', 'two']), { timeout: 10_000 });
    const closeLater = await broker.subscribe('slices-a', (text) => later.push(text), 'start');
    await vi.waitFor(() => expect(later).toEqual(['one', 'two']), { timeout: 10_000 });
    await Promise.all([closeEarlier(), closeLater()]);
  });

  it('tells the time', async () => {
    expect(Math.abs((await broker.time()) - Date.now())).toBeLessThan(60_000);
  });
});

it('an AssayError names a broker that is not there', async () => {
  await expect(openBroker({ url: 'redis://127.0.0.1:1' })).rejects.toMatchObject({
    exitCode: 3,
    message: expect.stringContaining('redis://127.0.0.1:1 cannot be reached'),
  });
});

it.each(BROKERS)('an AssayError says that $name allows too few connections', async ({ open }) => {
  const server = await open();
  const broker = await openBroker(server);
  await broker.requireConnections(1000);
  await expect(broker.requireConnections(1_000_000)).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining('1000000 agents need 5000010'),
  });
  await broker.close();
  await server.close();
});
