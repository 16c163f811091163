import type { CapacityRecord } from '../../spec/index.ts';
import { thousands } from './numbers.ts';

interface Found {
  readonly rate: number;
  readonly limitedBy: string;
  readonly confirmed?: boolean | undefined;
}

/** Reasons for which a search ended before it reached the limit of the target. */
const ENDED: Readonly<Record<string, string>> = {
  time: 'the time budget ended before the limit was found',
  'max-rate': 'limited by --max-rate',
  generator: 'limited by the load generator',
  interrupted: 'interrupted before the limit was found',
  error: 'ended by an error before the limit was found',
};

/** The rate that a search found: `at least` where the target may sustain more. */
export function sustained({ rate, limitedBy, confirmed }: Found): string {
  if (rate === 0) return limitedBy in ENDED ? 'no rate was found' : 'no rate met the thresholds';
  return `${limitedBy in ENDED ? 'at least ' : ''}${thousands(rate)} requests/s${confirmed === false ? ' (not confirmed)' : ''}`;
}

export function limitText({ limitedBy }: Found): string {
  return ENDED[limitedBy] ?? `limited by ${limitedBy}`;
}

/** ` (196 to 302)`: the rates between which the limit is; empty where they are the same. */
export function intervalText({ low, high }: Pick<CapacityRecord, 'low' | 'high'>): string {
  return low < high ? ` (${thousands(low)} to ${thousands(high)})` : '';
}
