import type { ReceivedResponse } from '../../spec/index.ts';

function headerOf(response: ReceivedResponse, name: string): string | undefined {
  return response.headers.find(([key]) => key === name)?.[1].trim();
}

/**
 * How long a `Retry-After` asks to wait, in milliseconds: its seconds, or its HTTP-date against the answer's own
 * clock. Undefined where there is none that can be read.
 */
export function retryAfterMs(response: ReceivedResponse, now: number): number | undefined {
  const value = headerOf(response, 'retry-after');
  if (value === undefined || value === '') return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1_000;
  const date = Date.parse(value);
  if (Number.isNaN(date) || /^[\d.+-]/.test(value)) return undefined;
  const clock = Date.parse(headerOf(response, 'date') ?? '');
  return Math.max(0, date - (Number.isNaN(clock) ? now : clock));
}
