import { describe, expect, it } from 'vitest';
import { encodeTraffic } from './encode-traffic.ts';
import { fieldFront, Picker } from './engines/traffic.ts';
import type { ScenarioRequest } from './scenarios/index.ts';

const request: ScenarioRequest = {
  operation: 'POST /x',
  form: '',
  method: 'POST',
  path: '/x?y=1',
  body: Buffer.from('{"é":"aaaaaaaaaaaa","b":"aaaaaaaaaaaa"}'),
  fields: [7, 26],
};

function text(requests: readonly ScenarioRequest[], baseUrl = 'https://[::1]:8443/gateway/'): string {
  const traffic = encodeTraffic({ requests }, { baseUrl, token: 't0k' }, 'run1');
  return new Picker(traffic, 2, 3).next().bytes.toString();
}

describe('encoding requests', () => {
  it('writes valid HTTP/1.1 with the path of the base URL', () => {
    const [head, body] = text([request]).split('\r\n\r\n');
    expect(head?.split('\r\n')).toEqual([
      'POST /gateway/x?y=1 HTTP/1.1',
      'host: [::1]:8443',
      'accept: application/json',
      'authorization: Bearer t0k',
      'content-type: application/json',
      'content-length: 40',
    ]);
    expect(body).toBe(`{"é":"${fieldFront('run1', 12)}20000000","b":"${fieldFront('run1', 12)}20000000"}`);
  });

  it('sends each header once, the last one given', () => {
    const head = text([{ ...request, headers: { Accept: 'text/json', 'Content-Type': 'text/json' } }]);
    expect(head.match(/^(?:accept|content-type): .*$/gim)).toEqual(['Accept: text/json', 'Content-Type: text/json']);
  });

  it('sends Content-Length: 0 for a POST without a body, and none for a GET', () => {
    expect(text([{ operation: 'a', form: '', method: 'POST', path: '/' }])).toContain('content-length: 0\r\n');
    expect(text([{ operation: 'a', form: '', method: 'GET', path: '/' }])).not.toContain('content-length');
  });

  it.each([
    ['no requests', { requests: [] }, /no requests/],
    ['a field outside the body', { requests: [{ ...request, fields: [39] }] }, /outside its body of 40 bytes/],
    ['fields too short to count in', { requests: [request], fieldWidth: 5 }, /too short/],
    ['weights of 0 only', { requests: [request], weights: { 'POST /x': 0 } }, /weight 0/],
    ['weights below 0', { requests: [request], weights: { 'POST /x': -1 } }, /Invalid weights: POST \/x: -1/],
    ['weights of unknown parts', { requests: [request], weights: { readers: 1 } }, /Invalid weights: readers: 1/],
    ['a path that is not encoded', { requests: [{ ...request, path: '/ä' }] }, /HTTP does not allow/],
  ])('refuses %s', (_, prepared, message) => {
    expect(() => encodeTraffic(prepared, { baseUrl: 'http://x' }, 'r')).toThrow(message);
  });
});
