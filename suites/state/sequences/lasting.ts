import type { Violation } from '../../kit/context.ts';
import type { Act } from './blame.ts';
import { lookAtItem, lookAtList } from './look.ts';
import type { Model, Real } from './real.ts';
import type { Subject } from './subject.ts';

/** A sequence that went well, with the steps that it took. */
export interface Past {
  readonly model: Model;
  readonly steps: Real['steps'];
}

/** Sequences of which every item is read once more. */
const READ_AGAIN = 12;

/** Most steps of one subject that are shown. */
const SHOWN = 3;

/**
 * Nobody touches what a sequence made once it has ended: what was seen then must still be so after all of them. Reported where
 * it is not; something that was kept for a moment only was not kept.
 */
export async function lasts(real: Real, past: readonly Past[]): Promise<Violation | undefined> {
  const looks = real.family === 'createPolicy' ? (['active', 'inactive'] as const) : (['all'] as const);
  const everything: Model = { subjects: past.flatMap(({ model }) => model.subjects), order: undefined };
  for (const list of looks) {
    const violation = await lookAtList(real, everything, AT_LAST, { form: undefined, list }, (subject) =>
      stepsOn(subject, past),
    );
    if (violation !== undefined) return violation;
  }
  const again = past.slice(-READ_AGAIN).flatMap(({ model }) => model.subjects);
  const violations = await Promise.all(
    again.map((subject) => lookAtItem(real, AT_LAST, subject, undefined, stepsOn(subject, past))),
  );
  return violations.find((each) => each !== undefined);
}

const AT_LAST: Act = { kind: 'wait', name: 'all calls have ended', refused: false };

function stepsOn(subject: Subject, past: readonly Past[]): Real['steps'] {
  const steps = past.find(({ model }) => model.subjects.includes(subject))?.steps ?? [];
  return steps.filter((each) => each.request.url.toLowerCase().includes(subject.id)).slice(-SHOWN);
}
