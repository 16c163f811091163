import { ifSkipped } from '../../domain/context.ts';
import { create } from '../../domain/create.ts';
import { itemsIn } from '../../domain/items.ts';
import { addBelow, additionTo } from '../../domain/inner-items.ts';
import { validRequest } from '../../domain/requests.ts';
import type { ValidRequest } from '../../domain/requests.ts';
import { isObject, isServed, responseFor } from '../../spec/index.ts';
import type { Exchange, Json, Operation, Violation } from '../../spec/index.ts';
import type { TestContext } from '../kit/context.ts';
import { defineTest, firstForm } from '../kit/define-test.ts';
import { describesMember } from '../kit/schema-parts.ts';
import { openSession } from '../kit/session.ts';
import { violationOf } from '../kit/violation.ts';
import { choicesOf, memberFilters, valueIn, wrongIn } from './member-filters.ts';
import type { MemberFilter } from './member-filters.ts';

const session = await openSession();
const TITLE = 'parameters with the name of a member select by it';

for (const operation of session.contract.operations) {
  const hasQuery = operation.parameters.some((each) => each.in === 'query' && !each.required);
  // Where the document states the rules of lists, their filters are tested in full.
  if (operation.method !== 'GET' || !hasQuery || session.knowledge.guarantees('paging', operation)) continue;
  const form = firstForm(operation, TITLE);
  defineTest(session, {
    suite: 'contract/filters',
    title: TITLE,
    operation,
    checks: ['filters'],
    effects: [operation.effect],
    isOnlyForm: true,
    ...(form === undefined ? {} : { form }),
    run: async (t) => {
      const request = await validRequest(t, operation, form);
      const whole = await t.send(operation, { ...request, valid: true });
      const found = memberFilters(t.contract, operation, (isServed(whole) ? itemsIn(whole) : undefined) ?? []);
      const made = await createDifferent(t, operation, request);
      const filters = [...made, ...found.filter(({ parameter }) => !made.some((each) => each.parameter === parameter))];
      if (filters.length === 0)
        t.skip('no query parameter has the name of a member whose value differs between the items');
      let returned = 0;
      for (const filter of filters) {
        const query = { ...request.query, [filter.parameter]: filter.value };
        await t.holds(async (t) => {
          const exchange = await t.send(operation, { ...request, valid: true, query });
          const items = (isServed(exchange) ? itemsIn(exchange) : undefined) ?? [];
          returned += items.length;
          // An item that the filter selects has the member, where lists show it.
          const isShown =
            listShows(t, operation, filter) || items.some((item) => valueIn(item, filter.member) !== undefined);
          const lacks = (item: Json): boolean => isShown && (valueIn(item, filter.member) ?? null) === null;
          const wrong = wrongIn(items, filter) ?? (filter.bound === undefined ? items.find(lacks) : undefined);
          return wrong === undefined ? undefined : wronglyFound(operation, filter, wrong, [whole, exchange]);
        });
      }
      if (returned === 0) t.skip('with the query parameters that have the name of a member, the list returns no items');
    },
  });
}

/** True where the description says that the items of a list have the member. */
function listShows({ contract }: TestContext, operation: Operation, { member }: MemberFilter): boolean {
  const schemas = responseFor(operation, 200)?.content.flatMap(({ schema }) => schema ?? []) ?? [];
  return schemas.some((schema) => describesMember(contract, schema, member));
}

/** Creates items that differ in the members that parameters are named as; returns filters that select some of them. */
async function createDifferent(
  t: TestContext,
  operation: Operation,
  { path }: ValidRequest,
): Promise<readonly MemberFilter[]> {
  const resource = t.allows('reversible') ? t.knowledge.resources.find((each) => each.list === operation) : undefined;
  const creation = resource?.create ?? (await additionTo(t, operation, path));
  const choices = creation === undefined ? [] : choicesOf(t.contract, operation, creation);
  if (creation === undefined || choices.length === 0) return [];
  const references = await t.knowledge.references(t, creation, path);
  for (let turn = 0; turn < Math.max(...choices.map(({ values }) => values.length)); turn += 1) {
    const chosen = Object.fromEntries(
      choices.map(({ member, values }) => [member, values[turn % values.length] ?? null]),
    );
    const changed = (sample: Json | undefined): Json => ({ ...(isObject(sample) ? sample : {}), ...chosen });
    const body = (name: string): Json => changed(t.knowledge.sampleBody(creation, name, references));
    if (resource === undefined) await addBelow(t, creation, Object.values(path), changed);
    else await create(t, resource, { suffix: `filter${turn}`, body, expect: 'any' }).catch(ifSkipped);
  }
  // Both values: all items of a page may have the one. Without false, which also means that the filter is off.
  return choices.flatMap(({ values, ...filter }) =>
    (values.length > 2 ? values.slice(1, 2) : values.filter((each) => each !== false)).map((value) => ({
      ...filter,
      value,
    })),
  );
}

const WORDS = { min: 'at least ', max: 'at most ' } as const;

/** The violation of a filter that returns an item although its member has another value. */
function wronglyFound(
  operation: Operation,
  { parameter, member, value, bound }: MemberFilter,
  wrong: Json,
  exchanges: readonly Exchange[],
): Violation {
  return violationOf('filters/wrongly-found', operation, {
    subject: parameter,
    grade: 'inferred',
    expected: `only items whose ${member} is ${bound === undefined ? '' : WORDS[bound]}${JSON.stringify(value)}`,
    received: `an item whose ${member} is ${JSON.stringify(valueIn(wrong, member)) ?? 'missing'}`,
    exchanges,
  });
}
