import { commands, constant, constantFrom, nat, oneof, record } from 'fast-check';
import type { Arbitrary, AsyncCommand } from 'fast-check';
import type { Identity } from '../../../spec/index.ts';
import type { Session } from '../../kit/session.ts';
import { anyPlace, PLACES } from './arrangements.ts';
import type { Model, Real } from './real.ts';
import { SLOTS, Step } from './step.ts';
import type { Plan } from './step.ts';
import { operationIdFor } from './subject.ts';
import type { Family } from './subject.ts';

/** Most calls of one sequence. */
const MOST = 20;

/** Own policies when a sequence begins. */
export const AT_FIRST = 2;

/** What changes something, or must not; after each call everything is read, listed and filtered anyway. */
const KINDS = ['update', 'patch', 'delete', 'activate', 'deactivate', 'queue', 'dry-run', 'preview'] as const;

/** How often a call is generated beside the others; left out: once. */
const WEIGHTS: Partial<Record<Plan['kind'], number>> = { activate: 3, deactivate: 2, update: 3, patch: 2 };

/** One call in so many is made by somebody who may not. */
const REFUSED_EACH = 8;

export interface SequenceOptions {
  readonly ordered: boolean;
  /** Which of the commands ran, from the counterexample that is replayed. */
  readonly replayPath?: string;
}

/** Sequences of all calls that are allowed and that the description has. */
export function sequences(
  session: Session,
  family: Family,
  { ordered, replayPath }: SequenceOptions,
): Arbitrary<Iterable<AsyncCommand<Model, Real>>> {
  const kinds: Plan['kind'][] = KINDS.filter((kind) => may(session, family, kind));
  const all = [...kinds, 'create' as const, ...(ordered ? (['set-order', 'set-order', 'set-order'] as const) : [])];
  const steps = all.flatMap((kind) => Array.from({ length: WEIGHTS[kind] ?? 1 }, () => step(session, kind)));
  return commands(steps, { maxCommands: MOST, size: 'max', ...(replayPath === undefined ? {} : { replayPath }) });
}

function may(session: Session, family: Family, kind: (typeof KINDS)[number]): boolean {
  const operation = session.contract.operation(operationIdFor(family, kind) ?? '');
  return operation !== undefined && session.allows(operation.effect);
}

function step(session: Session, kind: Plan['kind']): Arbitrary<Step> {
  const { limited, expired } = session.options.tokens;
  const others: readonly Identity[] = [
    'none',
    'invalid',
    ...(limited === undefined ? [] : ['limited' as const, 'limited' as const]),
    ...(expired === undefined ? [] : ['expired' as const]),
  ];
  const identity: Arbitrary<Identity> =
    kind === 'create' || kind === 'set-order'
      ? constant('full')
      : oneof({ arbitrary: constant<Identity>('full'), weight: REFUSED_EACH - 1 }, constantFrom(...others));
  return record({
    kind: constant(kind),
    slot: nat({ max: SLOTS - 1 }),
    form: nat({ max: 1 }),
    identity,
    look: record({
      form: nat({ max: 1 }),
      list: kind === 'set-order' ? constantFrom('active', 'inactive') : constantFrom('active', 'inactive', 'all'),
    }),
    ...(kind === 'set-order' ? { place: anyPlaceOf() } : {}),
  }).map((plan) => new Step(plan as Plan));
}

/** Places for as many own policies as there happen to be. */
function anyPlaceOf(): Arbitrary<NonNullable<Plan['place']>> {
  const known = Object.values(PLACES);
  return constantFrom(...known).chain((place) =>
    place === known[0]
      ? anyPlace(AT_FIRST).map(
          (generated) => (own: readonly string[], others: readonly string[]) =>
            own.length === AT_FIRST ? generated(own, others) : place(own, others),
        )
      : constant(place),
  );
}
