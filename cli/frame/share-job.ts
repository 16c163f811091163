import type { Effect } from '../../spec/index.ts';
import { EFFECTS } from '../../spec/index.ts';
import type { OptionOf } from '../catalogue.ts';
import { defined } from '../defined.ts';
import { flagOf } from '../options/spec.ts';
import type { Settings } from '../options/table.ts';

/** Settings of a run that are those of each of its shares. */
const SHARED = ['depth', 'runs', 'settle', 'budget', 'maxTime', 'maxRate', 'maxRequests', 'strict'] as const;

/** Set in the process of a share: a broker that its environment names is that of its agent. */
export const SHARE = 'ASSAY_SHARE';

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

/** @param parts shares that run at the same time: all together keep to what the run may send. */
export function sharedSettings(settings: SharedSettings, parts: number): ShareJob['settings'] {
  const { maxRate, maxRequests } = settings;
  return defined({
    ...Object.fromEntries(SHARED.map((name) => [name, settings[name]])),
    maxRate: maxRate && maxRate / parts,
    maxRequests: maxRequests && Math.ceil(maxRequests / parts),
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

/** The arguments of `verify` for a share. Nothing of what comes from the broker can name a file, a target or more effects. */
export function shareWords(given: unknown, { allow, maxRate = Infinity }: ShareLimits): readonly string[] {
  const { shard, seed, allow: wanted, only, skip, settings } = given as ShareJob;
  const effects = EFFECTS.filter((effect) => wanted.includes(effect) && allow.includes(effect));
  const values = SHARED.flatMap((name) => {
    const value = name === 'maxRate' ? slower(settings[name], maxRate) : settings[name];
    if (value === undefined || value === false) return [];
    // Durations are counted in milliseconds.
    const unit = name === 'settle' || name === 'budget' || name === 'maxTime' ? 'ms' : '';
    return value === true ? [flagOf(name)] : [flagOf(name), `${value}${unit}`];
  });
  return [
    ...['--seed', '--allow'].flatMap((flag) => [flag, flag === '--seed' ? String(seed) : effects.join(',')]),
    ...only.filter(isText).flatMap((name) => ['--only', name]),
    ...skip.filter(isText).flatMap((name) => ['--skip', name]),
    ...(shard !== undefined && /^\d+\/\d+$/u.test(shard) ? ['--shard', shard] : []),
    ...values,
  ];
}
