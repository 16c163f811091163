import type { Schedule, Segment } from './engines/schedule.ts';

/** Shape of the offered rate over time. */
export interface LoadProfile {
  /** One sentence. */
  readonly title: string;
  /** Default duration. */
  readonly durationMs: number;
  /** Upper limit of the rate. */
  readonly mostRate?: number;
  /** @param rate the highest rate, in requests per second */
  segments(rate: number, durationMs: number): readonly Segment[];
}

const constant: LoadProfile['segments'] = (rate, durationMs) => [{ durationMs, from: rate, to: rate }];

const STEPS = 5;

export const LOAD_PROFILES = {
  smoke: {
    title: 'A few requests to check that the scenario works.',
    durationMs: 5_000,
    mostRate: 5,
    segments: constant,
  },
  steady: { title: 'A constant rate.', durationMs: 30_000, segments: constant },
  ramp: {
    title: 'A linear ramp from 0 to the rate.',
    durationMs: 60_000,
    segments: (rate, durationMs) => [{ durationMs, from: 0, to: rate }],
  },
  steps: {
    title: 'Five steps of equal length up to the rate.',
    durationMs: 60_000,
    segments: (rate, durationMs) =>
      Array.from({ length: STEPS }, (_, step) => {
        const level = (rate * (step + 1)) / STEPS;
        return { durationMs: durationMs / STEPS, from: level, to: level };
      }),
  },
  spike: {
    title: 'A fifth of the rate, with a spike to the full rate for a fifth of the time.',
    durationMs: 60_000,
    segments: (rate, durationMs) => [
      { durationMs: durationMs * 0.4, from: rate / 5, to: rate / 5 },
      { durationMs: durationMs * 0.2, from: rate, to: rate },
      { durationMs: durationMs * 0.4, from: rate / 5, to: rate / 5 },
    ],
  },
  soak: { title: 'A constant rate for a long time, to find drift.', durationMs: 30 * 60_000, segments: constant },
} satisfies Record<string, LoadProfile>;

export type ProfileName = keyof typeof LOAD_PROFILES;

/** True if a profile, or stages, offer one rate all the time. */
export function isConstant(name: ProfileName, segments?: readonly Segment[]): boolean {
  return segments === undefined && LOAD_PROFILES[name].segments === constant;
}

/** The schedule of a profile, or of stages. */
export function scheduleOf(
  name: ProfileName,
  rate: number,
  durationMs: number,
  arrivals: Schedule['arrivals'],
  segments?: readonly Segment[],
): Schedule {
  if (segments !== undefined) return { segments, arrivals };
  const profile: LoadProfile = LOAD_PROFILES[name];
  return { segments: profile.segments(Math.min(rate, profile.mostRate ?? Infinity), durationMs), arrivals };
}
