import { isServed } from '../../../spec/index.ts';
import type { Exchange, Violation } from '../../../spec/index.ts';
import type { TestContext } from '../../kit/context.ts';
import { violationOf } from '../../kit/violation.ts';
import type { Tested } from '../define.ts';
import { listResults } from './results.ts';
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
): Promise<Violation | undefined> {
  const last = (action: 0 | 1, throughOtherForm: boolean): Accepted | undefined =>
    accepted.findLast((each) => each.action === action && each.throughOtherForm === throughOtherForm);
  const [approved, rejected, other] = [last(0, false), last(1, false), last(1, true)];
  if (form === otherForm || approved === undefined || rejected === undefined || other === undefined) return undefined;
  const { states, exchange } = await listResults(t, form, path);
  const [approval, here, there] = [approved, rejected, other].map(({ named }) => states.get(named[0] ?? '') ?? '');
  if (!isServed(exchange) || approval === '' || here === '' || there === '') return undefined;
  if (here === there || (here === approval) === (there === approval)) return undefined;
  const [wrong, right] = here === approval ? [rejected, other] : [other, rejected];
  const names = here === approval ? [form.name, otherForm.name] : [otherForm.name, form.name];
  return violationOf('approvals/other-form', operation, {
    requirement: 'forms.equivalent',
    expected: `${wrong.named[0]} in state ${here === approval ? there : here}, as ${right.named[0]}, which was rejected through ${names[1]}`,
    received: `rejected through ${names[0]}, it is in state ${approval}, as approved results are`,
    exchanges: [approved.exchange, right.exchange, wrong.exchange, exchange],
  });
}

/** A result that has the state of rejected ones although the call that named it approved others, or the other way round. */
export async function findDividedDecision(
  t: TestContext,
  { operation, form }: Tested,
  { path }: Results,
  accepted: readonly Accepted[],
): Promise<Violation | undefined> {
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
