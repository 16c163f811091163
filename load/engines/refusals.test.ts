import { describe, expect, it } from 'vitest';
import { encodeTraffic } from '../encode-traffic.ts';
import { Recorder } from './recorder.ts';
import { Refusals } from './refusals.ts';
import { Picker } from './traffic.ts';

const REST = { index: 0, spanMs: 1, from: 0, to: 0, inFlight: 0, backlog: 0, connections: 1, busy: 0 };

describe('a 401 under load', () => {
  it('is no failure where the token is replaced, and one where the operation refuses it', () => {
    const recorder = new Recorder([{ part: 'all', operation: 'GET /' }], true);
    let reports = 0;
    const refusals = new Refusals(recorder, true, () => (reports += 1));
    expect([refusals.take(0, 1, performance.now()), refusals.take(0, 2, performance.now())]).toEqual([true, true]);
    refusals.replaced();
    expect(refusals.take(0, 3, performance.now() - 1000)).toBe(true);
    expect(reports).toBe(1);
    expect(recorder.take(REST)).toMatchObject({ refused: 3, parts: [{ errors: [] }], failedIds: [1, 2, 3] });
    expect(refusals.take(0, 4, performance.now())).toBe(true);
    refusals.count();
    expect(refusals.take(0, 5, performance.now())).toBe(false);
    expect(reports).toBe(2);
    expect(recorder.take(REST)).toMatchObject({ refused: 0, parts: [{ errors: [['401', 1]] }] });
  });
});

describe('a renewed token', () => {
  it('takes the place of the old one, whatever its length, and unique fields stay where they are', () => {
    const body = Buffer.from('{"id":"000000000000"}');
    const request = { method: 'POST', path: '/x', operation: 'POST /x', form: '/api', body, fields: [7] } as const;
    const other = { ...request, headers: { authorization: 'Bearer own' } };
    const target = { baseUrl: 'http://127.0.0.1:1', token: 'old' };
    const picker = new Picker(encodeTraffic({ requests: [request, other] }, target, 'run1'), 0, 1);
    picker.next();
    picker.replaceToken('old', 'a-longer-one');
    const texts = [picker.next(), picker.next()].map(({ bytes }) => bytes.toString());
    expect(texts.filter((text) => text.includes('authorization: Bearer a-longer-one\r\n'))).toHaveLength(1);
    expect(texts.filter((text) => text.includes('authorization: Bearer own\r\n'))).toHaveLength(1);
    for (const text of texts) expect(text).toMatch(/\{"id":"\w{11}[12]"\}$/);
  });
});
