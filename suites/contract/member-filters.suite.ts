import { itemsIn } from '../../domain/items.ts';
import { validRequest } from '../../domain/requests.ts';
import { isServed } from '../../spec/index.ts';
import type { Exchange, Operation, Violation } from '../../spec/index.ts';
import type { RequestSpec, TestContext } from '../kit/context.ts';
import { defineTest, firstForm } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import { violationOf } from '../kit/violation.ts';
import { isOther, memberFilters, valueIn } from './member-filters.ts';
import type { MemberFilter } from './member-filters.ts';

const session = await openSession();
const TITLE = 'parameters with the name of a member select by it';

for (const operation of session.contract.operations) {
  const hasQuery = operation.parameters.some((each) => each.in === 'query' && !each.required);
  // Where the document states the rules of lists, their filters are tested in full.
  if (operation.method !== 'GET' || !hasQuery || session.knowledge.guarantees('paging', operation)) continue;
  const form = firstForm(operation, TITLE);
  defineTest(
    session,
    {
      suite: 'contract/filters',
      title: TITLE,
      operation,
      checks: ['filters'],
      effects: [operation.effect],
      isOnlyForm: true,
      ...(form === undefined ? {} : { form }),
    },
    async (t) => {
      const request = await validRequest(t, operation, form);
      const whole = await t.send(operation, { ...request, valid: true });
      const filters = memberFilters(operation, (isServed(whole) ? itemsIn(whole) : undefined) ?? []);
      if (filters.length === 0) t.skip('no parameter has the name of a member in which the items differ');
      for (const filter of filters)
        await t.holds(() => findWrong(t, operation, { ...request, valid: true }, { filter, whole }));
    },
  );
}

/** An item that a filter returns although its member has another value. */
async function findWrong(
  t: TestContext,
  operation: Operation,
  request: RequestSpec,
  { filter, whole }: { readonly filter: MemberFilter; readonly whole: Exchange },
): Promise<Violation | undefined> {
  const { parameter, member, value } = filter;
  const exchange = await t.send(operation, { ...request, query: { ...request.query, [parameter]: value } });
  const wrong = isServed(exchange) ? itemsIn(exchange)?.find((item) => isOther(item, filter)) : undefined;
  if (wrong === undefined) return undefined;
  return violationOf('filters/wrongly-found', operation, {
    subject: parameter,
    grade: 'inferred',
    expected: `only items whose ${member} is ${JSON.stringify(value)}`,
    received: `an item whose ${member} is ${JSON.stringify(valueIn(wrong, member))}`,
    exchanges: [whole, exchange],
  });
}
