import type { Schedule } from '../engines/schedule.ts';
import type { Traffic } from '../engines/traffic.ts';

/** POST requests with an id field. */
export function testTraffic(
  options: { count?: number; port?: number; method?: string; path?: string; size?: number } = {},
): Traffic {
  const { count = 4, port = 80, method = 'POST', path = '/', size = 40 } = options;
  const width = 12;
  const requests = Array.from({ length: count }, () => {
    const body = `{"id":"${'0'.repeat(width)}","fill":"${'x'.repeat(Math.max(0, size - 31))}"}`;
    const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    return { bytes: Buffer.from(head + body), field: head.length + 7 };
  });
  const starts = Uint32Array.from([0, ...requests.map(({ bytes }, index) => bytes.length * (index + 1))]);
  return {
    bytes: new Uint8Array(Buffer.concat(requests.map(({ bytes }) => bytes))),
    starts,
    fields: requests.map(({ field }) => [field]),
    fieldWidth: width,
    accepts: requests.map(() => []),
    partOf: requests.map(() => 0),
    seriesOf: requests.map(() => 0),
    series: [{ part: 'all', operation: `${method} ${path}` }],
    parts: [{ label: 'all', weight: 1 }],
  };
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
