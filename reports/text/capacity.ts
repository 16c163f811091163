import { thousands } from './numbers.ts';

interface Found {
  readonly rate: number;
  readonly limitedBy: string;
}

/** Reasons for which a search ended before it reached the limit of the target. */
const ENDED: Readonly<Record<string, string>> = {
  time: 'the time budget ended before the limit was found',
  'max-rate': 'limited by --max-rate',
  generator: 'limited by the load generator',
};

/** The rate that a search found: `at least` where the target may sustain more. */
export function sustained({ rate, limitedBy }: Found): string {
  return `${rate > 0 && limitedBy in ENDED ? 'at least ' : ''}${thousands(rate)} requests/s`;
}

/** What limited the rate. */
export function limitText({ limitedBy }: Found): string {
  return ENDED[limitedBy] ?? `limited by ${limitedBy}`;
}
