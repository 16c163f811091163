import { expect, test } from 'vitest';
import type { ReportView } from '../view.ts';
import { harText } from './har.ts';

interface Entry {
  readonly request: { readonly bodySize: number; readonly postData?: object };
  readonly response: object;
}

/** The entry of a finding with one step. */
function entryOf(request: object, response: string, sent: object): Entry | undefined {
  const step = {
    request: { method: 'POST', url: 'http://x/', headers: { 'content-type': 'text/plain' }, ...request },
    response: { status: 200, headers: [['content-type', 'text/plain']], body: response, truncated: false },
  };
  const findings = [{ steps: [step], script: { requests: [{ step: 0, ...sent }] } }];
  const { log } = JSON.parse(
    harText({ summary: { version: '1', startedAt: '', findings } } as unknown as ReportView),
  ) as { readonly log: { readonly entries: readonly Entry[] } };
  return log.entries[0];
}

test('a body is whole where it was kept, and else says that it is a part', () => {
  const cut = `${'é'.repeat(4)}… (5011 bytes in total)`;
  const whole = entryOf({ body: cut }, cut, { body: 'é'.repeat(9) });
  expect(whole?.request).toMatchObject({ bodySize: 18, postData: { text: 'é'.repeat(9) } });
  const comment = 'only the beginning of the body was kept';
  expect(whole?.response).toMatchObject({ bodySize: 5011, content: { size: 5011, text: 'éééé' }, comment });
  for (const sent of [{}, { body: 'é', gap: 0 }])
    expect(entryOf({ body: cut }, '', sent)?.request).toMatchObject({
      bodySize: 5011,
      postData: { text: 'éééé', comment },
    });
});

test('bytes that are no text are encoded, or said to be lost', () => {
  const base64 = Buffer.from([0xff, 0xfe]).toString('base64');
  const entry = entryOf({ body: '\ufffd\ufffd' }, '\ufffd', { base64 });
  expect(entry?.request).toMatchObject({ bodySize: 2, postData: { text: base64, _encoding: 'base64' } });
  expect(entry?.response).toMatchObject({ bodySize: -1, content: { size: -1 }, comment: expect.any(String) });
});
