import { AssayError, EXIT } from '../../spec/index.ts';
import type { Scenario } from '../scenarios/index.ts';
import type { Trial } from '../trial.ts';

/** `stopped`: the target, which answered before, accepts no connection any more. `token`: it accepts no token. */
export type Silence = 'stopped' | 'token';

const TOKEN = new Set(['401', '403']);

/** True if every request failed, each for a reason for which `matches` is true. */
function failedBy({ measurement: { whole } }: Trial, matches: (error: string) => boolean): boolean {
  return whole.answered === 0 && whole.failed > 0 && Object.keys(whole.errors).every(matches);
}

/** Why lower rates would not help, by the trials so far. */
export function silenceOf(trials: readonly Trial[]): Silence | undefined {
  const last = trials.slice(-2);
  if (last.length < 2) return undefined;
  if (last.every((trial) => failedBy(trial, (error) => TOKEN.has(error)))) return 'token';
  const hasAnswered = trials.some(({ measurement }) => measurement.whole.answered > 0);
  const isGone = last.every((trial) => failedBy(trial, (error) => Number.isNaN(Number(error))));
  return hasAnswered && isGone ? 'stopped' : undefined;
}

/** The error that ends a search after these trials, if there is one (exit code 3). */
export function searchError(trials: readonly Trial[], { name }: Scenario): Error | undefined {
  const unreachable = (message: string, hint: string): Error =>
    new AssayError(message, { hint, exitCode: EXIT.unreachable });
  const silence = silenceOf(trials);
  if (silence === 'stopped')
    return unreachable(
      'The target stopped during the search: it no longer accepts connections.',
      'Its log may say why. To search below the rate at which it stops, use --max-rate.',
    );
  return silence === 'token'
    ? unreachable(
        `The target does not accept the token for the requests of ${name} (401 or 403).`,
        'Use a token with every permission (--token).',
      )
    : undefined;
}
