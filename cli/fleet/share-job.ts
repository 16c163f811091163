import { logPath } from '../../reports/log/write.ts';
import type { LiveState } from '../../reports/index.ts';
import type { Effect } from '../../spec/index.ts';
import { EFFECTS } from '../../spec/index.ts';
import type { OptionOf } from '../catalogue.ts';
import { defined } from '../../spec/defined.ts';
import { flagOf } from '../options/spec.ts';
import type { Settings } from '../options/table.ts';
import { isShare } from './parent.ts';

/** Settings of a run that its shares take over. */
const SHARED = ['depth', 'runs', 'settle', 'budget', 'maxTime', 'maxRate', 'maxRequests', 'strict'] as const;

export const LOG = logPath('');

type SharedSettings = Pick<Settings<OptionOf<'verify'>>, (typeof SHARED)[number]>;

export interface ShareJob {
  /** `2/12`; left out: all tests that `only` names. */
  readonly shard?: string;
  readonly seed: number;
  readonly allow: readonly Effect[];
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly settings: Readonly<Partial<Record<(typeof SHARED)[number], string | number | boolean>>>;
}

export type ShareProgress = Pick<LiveState, 'share' | 'leftSeconds'>;

/** What an agent reports of a share: parts of its log and journals, its progress, and its end. */
export type ShareResult =
  | { readonly type: 'text'; readonly file: string; readonly part: number; readonly data: string }
  | ({ readonly type: 'progress' } & ShareProgress)
  /** Its exit code, null after a signal, and how many parts its log has. */
  | { readonly type: 'end'; readonly code: number | null; readonly parts: number };

export function tellAgent(progress: ShareProgress): void {
  if (isShare() && process.connected) process.send?.(progress, () => {});
}

const LEAST_TIME_MS = 1_000;

const timeLeft = (ms: unknown, goneMs: number): number | undefined =>
  ms === undefined ? undefined : Math.max(LEAST_TIME_MS, Math.ceil(Number(ms) - goneMs));

/** Settings of a share: the limits of the run divided by `parts` shares at a time, and what is left after `goneMs`. */
export function sharedSettings(settings: SharedSettings, parts: number, goneMs: number): ShareJob['settings'] {
  const { maxRate, maxRequests, budget, maxTime } = settings;
  return defined({
    ...Object.fromEntries(SHARED.map((name) => [name, settings[name]])),
    maxRate: maxRate && maxRate / parts,
    maxRequests: maxRequests && Math.ceil(maxRequests / parts),
    budget: timeLeft(budget, goneMs),
    maxTime: timeLeft(maxTime, goneMs),
  });
}

/** Limits of the agent's own command line, which a job cannot widen. */
export interface ShareLimits {
  readonly allow: readonly Effect[];
  readonly maxRate: number | undefined;
}

const isText = (value: unknown): value is string => typeof value === 'string';

const slower = (a: unknown, b: number): number | undefined => {
  const rate = Math.min(typeof a === 'number' ? a : Infinity, b);
  return rate === Infinity ? undefined : rate;
};

/** Arguments for a share, `goneMs` after the shares began. Data from the broker cannot name a file or target, or allow more effects. */
export function shareWords(
  given: unknown,
  { allow, maxRate = Infinity }: ShareLimits,
  goneMs: number,
): readonly string[] {
  const { shard, seed, allow: wanted, only, skip, settings } = given as ShareJob;
  const effects = EFFECTS.filter((effect) => wanted.includes(effect) && allow.includes(effect));
  const values = SHARED.flatMap((name) => {
    const value = name === 'maxRate' ? slower(settings[name], maxRate) : settings[name];
    if (value === undefined || value === false) return [];
    if (value === true) return [flagOf(name)];
    if (name === 'settle') return [flagOf(name), `${value}ms`];
    const isTime = name === 'budget' || name === 'maxTime';
    return [flagOf(name), isTime ? `${timeLeft(value, goneMs)}ms` : `${value}`];
  });
  return [
    '--seed',
    String(seed),
    '--allow',
    effects.join(','),
    ...only.filter(isText).flatMap((name) => ['--only', name]),
    ...skip.filter(isText).flatMap((name) => ['--skip', name]),
    ...(shard !== undefined && /^\d+\/\d+$/u.test(shard) ? ['--shard', shard] : []),
    ...values,
  ];
}
