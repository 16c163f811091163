import { logPath } from '../../reports/log/write.ts';
import type { LiveState } from '../../reports/index.ts';
import type { Effect } from '../../spec/index.ts';
import { EFFECTS } from '../../spec/index.ts';
import type { OptionOf } from '../catalogue.ts';
import { defined } from '../../spec/defined.ts';
import { flagOf } from '../options/spec.ts';
import type { Settings } from '../options/table.ts';
import { isShare } from './parent.ts';

/** Settings of a run that are those of each of its shares. */
const SHARED = ['depth', 'runs', 'settle', 'budget', 'maxTime', 'maxRate', 'maxRequests', 'strict'] as const;

/** The name of a share's log among its files. */
export const LOG = logPath('');

type SharedSettings = Pick<Settings<OptionOf<'verify'>>, (typeof SHARED)[number]>;

/** A part of `verify` that an agent runs in a process of its own. */
export interface ShareJob {
  /** `2/12`; left out: all tests that `only` names. */
  readonly shard?: string;
  readonly seed: number;
  readonly allow: readonly Effect[];
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly settings: Readonly<Partial<Record<(typeof SHARED)[number], string | number | boolean>>>;
}

/** How far the process of a share is. */
export type ShareProgress = Pick<LiveState, 'share' | 'leftSeconds'>;

/** What an agent tells of a share: its log and its journals as they grow, how far it is, and its end. */
export type ShareResult =
  | { readonly type: 'text'; readonly file: string; readonly part: number; readonly data: string }
  | ({ readonly type: 'progress' } & ShareProgress)
  /** Its exit code, null where it did not end in order, and how many parts its log has. */
  | { readonly type: 'end'; readonly code: number | null; readonly parts: number };

/** Tells the agent how far its share is; does nothing in the process of any other run, or when the agent is gone. */
export function tellAgent(progress: ShareProgress): void {
  if (isShare() && process.connected) process.send?.(progress, () => {});
}

const LEAST_TIME_MS = 1_000;

const timeLeft = (ms: unknown, goneMs: number): number | undefined =>
  ms === undefined ? undefined : Math.max(LEAST_TIME_MS, Math.ceil(Number(ms) - goneMs));

/**
 * @param parts shares that run at the same time: all together keep to what the run may send.
 * @param goneMs time of the run that is gone.
 */
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

/** What an agent allows, whatever a job says. */
export interface ShareLimits {
  readonly allow: readonly Effect[];
  readonly maxRate: number | undefined;
}

const isText = (value: unknown): value is string => typeof value === 'string';

const slower = (a: unknown, b: number): number | undefined => {
  const rate = Math.min(typeof a === 'number' ? a : Infinity, b);
  return rate === Infinity ? undefined : rate;
};

/**
 * The arguments of `verify` for a share. Nothing of what comes from the broker can name a file, a target or more effects.
 *
 * @param goneMs time since the shares began.
 */
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
    // Durations are counted in milliseconds.
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
