import { itemsIn } from '../../domain/items.ts';
import { validRequest } from '../../domain/requests.ts';
import { isServed } from '../../spec/index.ts';
import type { Exchange, Json, Operation, Violation } from '../../spec/index.ts';
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
      let returned = 0;
      for (const filter of filters) {
        const query = { ...request.query, [filter.parameter]: filter.value };
        await t.holds(async () => {
          const exchange = await t.send(operation, { ...request, valid: true, query });
          const items = (isServed(exchange) ? itemsIn(exchange) : undefined) ?? [];
          returned += items.length;
          const wrong = items.find((item) => isOther(item, filter));
          return wrong === undefined ? undefined : wronglyFound(operation, filter, wrong, [whole, exchange]);
        });
      }
      if (returned === 0) t.skip('the parameters with the name of a member return no items');
    },
  );
}

/** The violation of a filter that returns an item although its member has another value. */
function wronglyFound(
  operation: Operation,
  { parameter, member, value }: MemberFilter,
  wrong: Json,
  exchanges: readonly Exchange[],
): Violation {
  return violationOf('filters/wrongly-found', operation, {
    subject: parameter,
    grade: 'inferred',
    expected: `only items whose ${member} is ${JSON.stringify(value)}`,
    received: `an item whose ${member} is ${JSON.stringify(valueIn(wrong, member))}`,
    exchanges,
  });
}
