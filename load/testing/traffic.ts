import { encodeTraffic } from '../encode-traffic.ts';
import type { Schedule } from '../engines/schedule.ts';
import type { Traffic } from '../engines/traffic.ts';
import type { PreparedScenario } from '../scenarios/scenario.ts';

const WIDTH = 12;

/** `size`: bytes of each body. */
type Requests = Readonly<Partial<Record<'count' | 'size', number> & Record<'method' | 'path', string>>>;

/** Requests with a unique id, POST unless another method is given. */
export function knownRequests({ count = 4, method = 'POST', path = '/', size = 40 }: Requests): PreparedScenario {
  const requests = Array.from({ length: count }, () => {
    const body = Buffer.from(`{"id":"${'0'.repeat(WIDTH)}","fill":"${'x'.repeat(Math.max(0, size - 31))}"}`);
    return { operation: `${method} ${path}`, form: '', method, path, body, fields: [7] };
  });
  return { requests, fieldWidth: WIDTH };
}

/** The same, encoded for a port of this machine, with or without TLS. */
export function testTraffic({ port = 80, ...given }: Requests & { readonly port?: number } = {}): Traffic {
  const { requests, ...rest } = knownRequests(given);
  const ofOnePart = { ...rest, requests: requests.map((each) => ({ ...each, part: 'all' })) };
  const traffic = encodeTraffic(ofOnePart, { baseUrl: `http://127.0.0.1:${port}` }, 'test');
  return { ...traffic, parts: [{ label: 'all', weight: 1 }] };
}

/** Settings of a trial on one thread, whose requests are neither judged nor remembered. */
export const PLAIN_TRIAL = {
  warmupMs: 0,
  workers: 1,
  timeoutMs: 10_000,
  samplesPerSecond: 0,
  keepsIds: false,
  seed: 1,
} as const;

/** Even arrivals at one rate. */
export const steadily = (rate: number, durationMs: number): Schedule => ({
  arrivals: 'even',
  segments: [{ durationMs, from: rate, to: rate }],
});
