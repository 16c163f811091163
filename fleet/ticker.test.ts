import { expect, it } from 'vitest';
import { Roster } from './roster.ts';
import { Signer } from './signature.ts';
import { Ticker } from './ticker.ts';
import type { TickerOptions } from './ticker.ts';

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
