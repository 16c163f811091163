import { sampleBody } from '../../../domain/builtin/bodies/sample-body.ts';
import { isObject, isServed } from '../../../spec/index.ts';
import type { Exchange, Form, Violation } from '../../../spec/index.ts';
import type { Evaluation, TestContext } from '../../kit/context.ts';
import { persists } from '../../kit/polling.ts';
import { violationOf } from '../../kit/violation.ts';
import type { Tested } from '../define.ts';
import { listResults, undecidedIds } from './results.ts';
import type { OtherResults } from './others.ts';
import type { Results } from './results.ts';

/** A decision that was accepted, and the results that it names. */
export interface Accepted {
  readonly action: 0 | 1;
  readonly throughOtherForm: boolean;
  readonly named: readonly string[];
  readonly exchange: Exchange;
}

/**
 * A rejection that has the effect of an approval through one form only. That a rejected result has another state than an approved one
 * is not documented, nor that states stay: rejections of both forms must only be alike in it.
 */
export async function findOtherEffect(
  t: TestContext,
  { operation, form, otherForm }: Tested,
  { path }: Results,
  accepted: readonly Accepted[],
): Evaluation {
  const last = (action: 0 | 1, throughOtherForm: boolean): Accepted | undefined =>
    accepted.findLast((each) => each.action === action && each.throughOtherForm === throughOtherForm);
  const [approved, rejected, other] = [last(0, false), last(1, false), last(1, true)];
  if (form === otherForm || approved === undefined || rejected === undefined || other === undefined) return undefined;
  const { states, exchange } = await listResults(t, form, path);
  const shown = ({ named: [id = ''], exchange: decided }: Accepted): Shown => ({
    id,
    state: states.get(id) ?? '',
    decided: [decided],
    read: exchange,
  });
  return otherEffect({ operation, form, otherForm }, shown(approved), [shown(rejected), shown(other)]);
}

/** A result after a decision. */
interface Shown {
  readonly id: string;
  /** Empty where no state is shown. */
  readonly state: string;
  /** The decision, after the list before it, where that was read. */
  readonly decided: readonly Exchange[];
  readonly read: Exchange;
}

/** Two rejections, through `form` and through the other one, of which one has the effect of the approval. */
function otherEffect(
  { operation, form, otherForm }: Pick<Tested, 'operation' | 'form' | 'otherForm'>,
  approved: Shown,
  [here, there]: readonly [Shown, Shown],
): Violation | undefined {
  const approval = approved.state;
  if ([approved, here, there].some(({ state, read }) => state === '' || !isServed(read))) return undefined;
  if (here.state === there.state || (here.state === approval) === (there.state === approval)) return undefined;
  const [wrong, right] = here.state === approval ? [here, there] : [there, here];
  const names = here.state === approval ? [form.name, otherForm.name] : [otherForm.name, form.name];
  return violationOf('approvals/other-form', operation, {
    requirement: 'forms.equivalent',
    expected: `${wrong.id} in state ${right.state}, as ${right.id}, which was rejected through ${names[1]}`,
    received: `rejected through ${names[0]}, it is in state ${approval}, as approved results are`,
    exchanges: [...approved.decided, ...right.decided, ...wrong.decided, wrong.read],
  });
}

/** Rejects the results of two jobs, those of each through one form; as {@link findOtherEffect}, for whole jobs. */
export async function findOtherBulkEffect(
  t: TestContext,
  { operation, form, otherForm, results }: Tested & { readonly results: Results },
  approved: Exchange,
  jobs: readonly [OtherResults, OtherResults],
): Evaluation {
  const sample = sampleBody(operation.id, '', {});
  const rejectAll = (through: Form, { path: { id } }: OtherResults): Promise<Exchange> =>
    t.send(operation, {
      form: through,
      path: { id },
      json: { ...(isObject(sample) ? sample : {}), action: 1 },
      label: `reject all through ${through.name}`,
    });
  const sent = [await rejectAll(form, jobs[0]), await rejectAll(otherForm, jobs[1])] as const;
  if (!sent.every(isServed)) return undefined;
  const show = async (path: Results['path'], id: string, decided: readonly Exchange[]): Promise<Shown> => {
    const { states, exchange: read } = await listResults(t, form, path);
    return { id, state: states.get(id) ?? '', decided, read };
  };
  const showOf = ({ path, states, exchange }: OtherResults, rejected: Exchange): Promise<Shown> =>
    show(path, undecidedIds(states, results.initial)[0] ?? '', [exchange, rejected]);
  const [first = ''] = results.undecided;
  return persists(t, async () =>
    otherEffect({ operation, form, otherForm }, await show(results.path, first, [approved]), [
      await showOf(jobs[0], sent[0]),
      await showOf(jobs[1], sent[1]),
    ]),
  );
}

/** A result that has the state of rejected ones although the call that named it approved others, or the other way round. */
export async function findDividedDecision(
  t: TestContext,
  { operation, form }: Tested,
  { path }: Results,
  accepted: readonly Accepted[],
): Evaluation {
  const { states, exchange } = await listResults(t, form, path);
  if (!isServed(exchange)) return undefined;
  const stateOf = ({ named }: Accepted): string | undefined => states.get(named[0] ?? '');
  for (const decision of accepted) {
    const [first = '', ...rest] = decision.named;
    const opposite = accepted.find((each) => each.action !== decision.action);
    const contrary = opposite === undefined ? undefined : stateOf(opposite);
    const other = rest.find((id) => contrary !== undefined && states.get(id) === contrary);
    if (opposite === undefined || other === undefined || stateOf(decision) === contrary) continue;
    return violationOf('approvals/divided', operation, {
      requirement: 'approvals.moves-state',
      expected: `${other} in state ${states.get(first)}, as ${first}, which the same call names`,
      received: `it is in state ${contrary}, as after the opposite action`,
      exchanges: [opposite.exchange, decision.exchange, exchange],
    });
  }
  return undefined;
}
