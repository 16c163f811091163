import { describe, expect, it } from 'vitest';
import { asTick } from './messages.ts';
import { Signer } from './signature.ts';

const tick = {
  run: 'r1',
  sentAt: 5,
  state: 'run',
  trial: 1,
  free: 0,
  each: 2,
  most: 64,
  boundMs: 0.1,
  committedAt: 2,
  committed: { a: 1 },
};

describe('what travels over a broker', () => {
  it('is opened with the key that signed it, and with no other', () => {
    const signed = new Signer('key').sign(tick);
    expect(asTick(new Signer('key').verify(signed))).toEqual(tick);
    expect(new Signer('other').verify(signed)).toBeUndefined();
    expect(new Signer().verify(signed)).toBeUndefined();
    expect(new Signer('key').verify(signed.replace('"trial":1', '"trial":2'))).toBeUndefined();
  });

  it.each(['', '.', '{}', 'x.{}', '.{"run":1}'])('is refused where it is %j', (text) => {
    expect(new Signer('key').verify(text)).toBeUndefined();
  });

  it('has the shape of a message', () => {
    for (const wrong of [{}, null, 7, { ...tick, trial: -1 }, { ...tick, state: 'fly' }, { ...tick, committed: 1 }])
      expect(asTick(wrong)).toBeUndefined();
  });
});
