import { commands, constant, constantFrom, nat, oneof, record } from 'fast-check';
import type { Arbitrary, AsyncCommand } from 'fast-check';
import type { Identity } from '../../../spec/index.ts';
import type { Session } from '../../kit/session.ts';
import { anyArrangement, ARRANGEMENTS } from '../order/arrangements.ts';
import { operationFor } from './items.ts';
import type { Family } from './items.ts';
import type { Model, Real } from './model.ts';
import { SLOTS, Step } from './step.ts';
import type { StepPlan } from './step.ts';

/** Most calls of one sequence. */
const MOST_CALLS = 20;

/** Number of items when a sequence begins. */
export const INITIAL_ITEMS = 2;

/** Calls that change something, or must not; after each one the state is read, listed and filtered anyway. */
const KINDS = ['update', 'patch', 'delete', 'activate', 'deactivate', 'queue', 'dry-run', 'preview'] as const;

/** How often a call is generated compared with the others; default 1. */
const WEIGHTS: Partial<Record<StepPlan['kind'], number>> = {
  activate: 3,
  deactivate: 2,
  update: 3,
  patch: 2,
  'set-order': 3,
};

/** One call in this many is sent by a caller without permission. */
const REFUSED_ONE_IN = 8;

export type Sequence = Iterable<AsyncCommand<Model, Real>>;

export interface SequenceOptions {
  readonly family: Family;
  /** Whether the processing order is set too. */
  readonly withOrder: boolean;
  /** The commands that ran, of the counterexample that is replayed. */
  readonly replayPath?: string | undefined;
}

/** Sequences of all calls that are allowed and that the description has. */
export function sequences(session: Session, { family, withOrder, replayPath }: SequenceOptions): Arbitrary<Sequence> {
  const isAllowed = (kind: (typeof KINDS)[number]): boolean => {
    const operation = operationFor(session, family, kind);
    return operation !== undefined && session.allows(operation.effect);
  };
  const kinds: StepPlan['kind'][] = [
    ...KINDS.filter(isAllowed),
    'create',
    ...(withOrder ? ['set-order' as const] : []),
  ];
  const steps = kinds.flatMap((kind) => Array.from({ length: WEIGHTS[kind] ?? 1 }, () => step(session, kind)));
  const replay = replayPath === undefined ? {} : { replayPath };
  return commands(steps, { maxCommands: MOST_CALLS, size: 'max', ...replay });
}

function step(session: Session, kind: StepPlan['kind']): Arbitrary<Step> {
  const { limited, expired } = session.options.tokens;
  const refused: readonly Identity[] = [
    'none',
    'invalid',
    ...(limited === undefined ? [] : ['limited' as const, 'limited' as const]),
    ...(expired === undefined ? [] : ['expired' as const]),
  ];
  const full = constant<Identity>('full');
  const identity =
    kind === 'create' || kind === 'set-order'
      ? full
      : oneof({ arbitrary: full, weight: REFUSED_ONE_IN - 1 }, constantFrom(...refused));
  const lists = constantFrom('active', 'inactive', ...(kind === 'set-order' ? [] : ['all' as const]));
  return record({
    kind: constant(kind),
    slot: nat({ max: SLOTS - 1 }),
    form: nat({ max: 1 }),
    identity,
    reads: record({ form: nat({ max: 1 }), list: lists }),
    ...(kind === 'set-order' ? { arrangement: arrangements() } : {}),
  }).map((plan) => new Step(plan as StepPlan));
}

/** Arrangements for however many items there are; generated ones for the initial number. */
function arrangements(): Arbitrary<NonNullable<StepPlan['arrangement']>> {
  const generated = anyArrangement(INITIAL_ITEMS).map(
    (arrangement): NonNullable<StepPlan['arrangement']> =>
      (own, others) =>
        (own.length === INITIAL_ITEMS ? arrangement : ARRANGEMENTS.reversedAround)(own, others),
  );
  const { reversedAround: _replaced, ...others } = ARRANGEMENTS;
  return oneof(generated, ...Object.values(others).map((each) => constant(each)));
}
