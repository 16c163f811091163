import { expect, it } from 'vitest';
import { Roster } from './roster.ts';
import { Signer } from './signature.ts';
import { Ticker } from './ticker.ts';
import type { TickerOptions } from './ticker.ts';
import type { Hello, Report, Tick } from './messages.ts';

it('tells once that the broker does not respond, and that it does again', async () => {
  let now = 0;
  let accept: () => void = () => {};
  const notes: string[] = [];
  const broker = { publish: () => new Promise<void>((resolve) => (accept = resolve)) };
  const ticker = new Ticker({
    broker,
    clock: { now: () => now },
    signer: new Signer('key'),
    run: 'r',
    roster: new Roster(),
    onNote: (text: string) => notes.push(text),
  } as unknown as TickerOptions);
  for (const at of [0, 2900, 3100, 3400]) {
    now = at;
    await ticker.tick({ state: 'run', trial: 1, free: {}, each: 1, most: 1 } as never);
  }
  expect(notes).toEqual(['the broker does not respond: agents stop sending when their locks end']);
  accept();
  await Promise.resolve();
  expect(notes.slice(1)).toEqual(['the broker responds again']);
});

it('lists an agent of many of which a report is missing', async () => {
  const roster = new Roster();
  const signer = new Signer('key');
  for (let agent = 0; agent < 60; agent += 1) roster.add({ agent: `a${agent}`, boundMs: 0 } as Hello, 1000);
  for (const seq of [1, 3])
    roster.commit({ agent: 'a7', seq, sentAt: 1000 + seq, boundMs: 0, tickDelayMs: 0 } as Report);
  const ticks: Tick[] = [];
  const publish = async (_: string, text: string) => void ticks.push(signer.verify(text) as Tick);
  const clock = { now: () => 1500 };
  const ticker = new Ticker({ broker: { publish }, clock, signer, run: 'r', roster } as unknown as TickerOptions);
  await ticker.tick({ state: 'run', trial: 1, free: 0, each: 1, most: 1 });
  expect(ticks[0]?.committed).toEqual({ a7: 1 });
});
