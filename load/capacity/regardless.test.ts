import { describe, expect, it } from 'vitest';
import type { TakenStep } from './record.ts';
import { regardlessText } from './regardless.ts';

interface Given {
  readonly errors?: number;
  readonly p99?: number;
  readonly limit?: string | undefined;
  readonly status?: string;
  readonly saturated?: boolean;
}

function step(rate: number, { errors = 0, p99 = 10, status = '500', saturated = false, ...rest }: Given): TakenStep {
  const limit = 'limit' in rest ? rest.limit : errors > 0 ? 'errors' : 'latency';
  const steady = { errorShare: errors, errors: { [status]: errors * 1000 }, latencies: { percentile: () => p99 } };
  return {
    rate,
    kind: 'probe',
    step: { held: limit === undefined, limit, saturated, trial: { measurement: { steady } } },
  } as unknown as TakenStep;
}

const HELD = step(100, { limit: undefined });

describe('what keeps a target from meeting its thresholds at any rate', () => {
  it.each([
    ['errors', [{ errors: 0.0094 }, { errors: 0.0098 }, { errors: 0.013 }], /1.3% and 0.94% of the requests failed/],
    ['errors alone', [{ errors: 1 }, { errors: 1 }, { errors: 1 }], /100% and 100% of the requests failed/],
    ['latency', [{ p99: 830 }, { p99: 860 }, { p99: 810 }], /the p99 was 810 and 830 ms at 200 and 2,000 requests/],
    ['violations', [1, 2, 3].map(() => ({ limit: 'violations' })), /responses violated the contract at 200 and 2,000/],
  ] as const)('is named: %s', (_, [first, second, third], text) => {
    const steps = [step(2000, first), step(700, second)];
    expect(regardlessText(steps)).toBeUndefined();
    expect(regardlessText([...steps, step(200, third)])).toMatch(text);
    expect(regardlessText([...steps, step(300, { limit: 'generator' }), step(200, third)])).toMatch(text);
    expect(regardlessText([...steps, step(900, third)])).toBeUndefined();
    expect(regardlessText([...steps, step(200, third), HELD])).toBeUndefined();
  });

  it.each([
    ['a rate limit', [{ errors: 0.95 }, { errors: 0.86 }, { errors: 0.5 }]],
    ['a rate limit far below', [{ errors: 0.9995 }, { errors: 0.9986 }, { errors: 0.995 }]],
    ['a rate limit that accepts nothing for a while', [1, 2, 3].map(() => ({ errors: 1, status: '429' }))],
    ['errors of an overload', [{ errors: 0.2 }, { errors: 0.1 }, { errors: 0.02 }]],
    ['a queue', [{ p99: 900 }, { p99: 700 }, { p99: 600 }]],
    ['a queue that grows', [1, 2, 3].map(() => ({ p99: 900, saturated: true }))],
    ['different reasons', [{ errors: 0.5 }, { p99: 900 }, { p99: 900 }]],
    ['too low a throughput', [1, 2, 3].map(() => ({ limit: 'throughput' }))],
  ] as const)('is not %s', (_, [first, second, third]) => {
    expect(regardlessText([step(2000, first ?? {}), step(700, second ?? {}), step(200, third ?? {})])).toBeUndefined();
  });
});
