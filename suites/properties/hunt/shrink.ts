import type { GeneratedRequest } from '../../../generators/index.ts';
import { isObject } from '../../../spec/index.ts';
import { withBody } from './case.ts';

/** Most candidates that are tried on the way to the smallest. */
const MOST_TRIES = 500;

/** How many candidates are looked at beside each other. */
const WIDTH = 4;

/** What makes requests simpler; every arbitrary of requests is one. */
export interface Shrinker {
  readonly simplest: GeneratedRequest;
  accepts(value: unknown): boolean;
  /** Simpler requests, boldest first. */
  shrink(
    value: GeneratedRequest,
    context?: unknown,
  ): Iterable<{ readonly value: GeneratedRequest; readonly context?: unknown }>;
}

type Fails = (candidate: GeneratedRequest) => Promise<boolean>;

/**
 * The simplest request for which `fails` still holds. Candidates are tried a few at a time, and the first of them in the
 * order of boldness counts, so the way down is the same however fast the answers come.
 */
export async function shrink(
  arbitrary: Shrinker,
  start: GeneratedRequest,
  fails: Fails,
  spent: () => boolean,
): Promise<GeneratedRequest> {
  let value = (await firstThat(singles(arbitrary, start), fails, () => false))?.value ?? start;
  let context: unknown;
  let tries = 0;
  const counted: Fails = (candidate) => {
    tries += 1;
    return fails(candidate);
  };
  for (;;) {
    const step = await firstThat(arbitrary.shrink(value, context), counted, () => spent() || tries >= MOST_TRIES);
    if (step === undefined) return value;
    value = step.value;
    context = step.context;
  }
}

interface Step {
  readonly value: GeneratedRequest;
  readonly context?: unknown;
}

async function firstThat(steps: Iterable<Step>, fails: Fails, stop: () => boolean): Promise<Step | undefined> {
  const candidates = steps[Symbol.iterator]();
  while (!stop()) {
    const batch: Step[] = [];
    while (batch.length < WIDTH) {
      const next = candidates.next();
      if (next.done === true) break;
      batch.push(next.value);
    }
    if (batch.length === 0) return undefined;
    const outcomes = await Promise.all(batch.map((each) => fails(each.value)));
    const hit = batch[outcomes.indexOf(true)];
    if (hit !== undefined) return hit;
  }
  return undefined;
}

/** The simplest request, and the simplest with one member of the body or one query parameter of this one. */
function* singles(arbitrary: Shrinker, { query, path, body }: GeneratedRequest): Iterable<Step> {
  const { simplest } = arbitrary;
  const plain = simplest.body?.value;
  const candidates: GeneratedRequest[] = [{ ...simplest, path: { ...path, ...simplest.path } }];
  for (const [name, value] of Object.entries(query))
    candidates.push({ ...simplest, query: { ...simplest.query, [name]: value } });
  if (isObject(body?.value) && isObject(plain)) {
    for (const [name, value] of Object.entries(body.value))
      candidates.push(withBody(simplest, { ...plain, [name]: value }));
  }
  for (const value of candidates) if (arbitrary.accepts(value)) yield { value };
}
