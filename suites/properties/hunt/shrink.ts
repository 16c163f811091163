import type { CaseArbitrary, GeneratedRequest } from '../../../generators/index.ts';

/** Most candidates that are tried on the way to the smallest. */
const MOST_TRIES = 600;

/** How many candidates are looked at beside each other. */
const WIDTH = 8;

/**
 * The simplest request for which `fails` still holds. Candidates are tried a few at a time, and the first of them in the
 * order of boldness counts, so the way down is the same however fast the answers come.
 */
export async function shrink(
  arbitrary: CaseArbitrary<GeneratedRequest>,
  start: GeneratedRequest,
  fails: (candidate: GeneratedRequest) => Promise<boolean>,
  spent: () => boolean,
): Promise<GeneratedRequest> {
  let value = start;
  let context: unknown;
  for (let tries = 0; tries < MOST_TRIES;) {
    const step = await descend(arbitrary, value, context, fails, () => spent() || tries >= MOST_TRIES, (count) => { tries += count; });
    if (step === undefined) return value;
    value = step.value;
    context = step.context;
  }
  return value;
}

interface Step {
  readonly value: GeneratedRequest;
  readonly context: unknown;
}

async function descend(
  arbitrary: CaseArbitrary<GeneratedRequest>,
  value: GeneratedRequest,
  context: unknown,
  fails: (candidate: GeneratedRequest) => Promise<boolean>,
  stop: () => boolean,
  count: (tries: number) => void,
): Promise<Step | undefined> {
  const candidates = arbitrary.shrink(value, context)[Symbol.iterator]();
  while (!stop()) {
    const batch: Step[] = [];
    while (batch.length < WIDTH) {
      const next = candidates.next();
      if (next.done === true) break;
      batch.push(next.value);
    }
    if (batch.length === 0) return undefined;
    count(batch.length);
    const outcomes = await Promise.all(batch.map((each) => fails(each.value)));
    const hit = batch[outcomes.indexOf(true)];
    if (hit !== undefined) return hit;
  }
  return undefined;
}
