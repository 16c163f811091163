import type { Segment } from '../engines/schedule.ts';

/** How iterations are started, by the names of k6. */
export const EXECUTORS = {
  'constant-arrival-rate': { starts: 'arrivals', title: 'a constant number of iterations per second' },
  'ramping-arrival-rate': { starts: 'arrivals', title: 'iterations per second that follow the stages' },
  'constant-vus': {
    starts: 'users',
    title: 'a constant number of virtual users, each running iterations one after another',
  },
  'ramping-vus': { starts: 'users', title: 'a number of virtual users that follows the stages' },
  'per-vu-iterations': { starts: 'users', title: 'virtual users with a fixed number of iterations each' },
  'shared-iterations': { starts: 'users', title: 'a fixed number of iterations, shared by virtual users' },
} as const satisfies Record<string, { starts: 'arrivals' | 'users'; title: string }>;

export type ExecutorName = keyof typeof EXECUTORS;

export interface Users {
  /** Their number over time. */
  readonly segments: readonly Segment[];
  /** Iterations of each; Infinity: until the end of the run. */
  readonly each: number;
  /** Iterations of all users of this worker; Infinity: until the end of the run. */
  readonly all: number;
}

/** Number of virtual users at a time in milliseconds from the start; 0 after the end. */
export function usersAt(segments: readonly Segment[], atMs: number): number {
  let began = 0;
  for (const { durationMs, from, to } of segments) {
    if (atMs < began + durationMs) return from + ((to - from) * (atMs - began)) / durationMs;
    began += durationMs;
  }
  return 0;
}

/** Ramps from 0 to the first stage, and from stage to stage; a stage with duration 0 is a jump. */
export function segmentsOf(stages: readonly { readonly durationMs: number; readonly target: number }[]): Segment[] {
  let from = 0;
  const segments: Segment[] = [];
  for (const { durationMs, target } of stages) {
    if (durationMs > 0) segments.push({ durationMs, from, to: target });
    from = target;
  }
  return segments;
}

/** The share of one worker, in whole users. */
export function usersShare(users: Users, index: number, count: number): Users {
  const part = (total: number): number => Math.floor(total / count) + (index < total % count ? 1 : 0);
  const share = (value: number): number => (Number.isFinite(value) ? part(value) : value);
  return {
    each: users.each,
    all: share(users.all),
    segments: users.segments.map(({ durationMs, from, to }) =>
      from === to
        ? { durationMs, from: part(from), to: part(to) }
        : { durationMs, from: (from + count - 1 - index) / count, to: (to + count - 1 - index) / count },
    ),
  };
}
