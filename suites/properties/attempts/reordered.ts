import type { Exchange, Json } from '../../../spec/index.ts';
import { keysOf } from '../../../domain/items.ts';
import type { ListFixture } from '../../../domain/list-fixture.ts';
import { pageQuery, pagingOf } from '../../../domain/read-list.ts';
import { statusAndType } from '../../kit/compare.ts';
import type { TestContext } from '../../kit/context.ts';
import { violationOf } from '../../kit/violation.ts';
import { shrinkerOf } from '../case.ts';
import type { Case, RequestShrinker } from '../case.ts';
import type { CaseViolations } from '../violation.ts';

type Query = Readonly<Record<string, Json>>;

/** Queries for the second page of a list with all parameters: in reverse order, and rotated. Null stands for values that only the run knows. */
export function* orderings({ operation, request }: ListFixture): Iterable<Query> {
  const paging = pagingOf(operation);
  if (paging === undefined) return;
  const known: Query = {
    ...pageQuery(paging, 1, 2),
    ...Object.fromEntries(Object.keys(request.query ?? {}).map((name) => [name, null])),
    orderBy: 'name',
    orderAsc: false,
    sortDirection: 1,
  };
  const all = operation.parameters.flatMap(({ name, in: place }): [string, Json][] =>
    place === 'query' && known[name] !== undefined ? [[name, known[name]]] : [],
  );
  yield Object.fromEntries(all.toReversed());
  for (let first = 1; first < all.length; first += 1)
    yield Object.fromEntries([...all.slice(first), ...all.slice(0, first)]);
}

/** Leaves parameters out, except those that exclude items of others from the list. */
export function fewerParameters(simplest: Case['request']): RequestShrinker {
  return shrinkerOf(simplest, function* fewer(value) {
    for (const name of Object.keys(value.query)) {
      const { [name]: left, ...query } = value.query;
      if (left !== null) yield { ...value, query };
    }
  });
}

/** Sends the same parameters in the order of the document and in that of the case: the responses must be the same. */
export async function tryReordered(t: TestContext, fixture: ListFixture, { request }: Case): CaseViolations {
  const names = fixture.operation.parameters.map(({ name }) => name);
  const documented = Object.fromEntries(
    Object.entries(request.query).toSorted(([a], [b]) => names.indexOf(a) - names.indexOf(b)),
  );
  const [one, two] = [await readWith(t, fixture, documented), await readWith(t, fixture, request.query)];
  if (summaryOf(one) === summaryOf(two)) return [];
  const isSteady =
    summaryOf(await readWith(t, fixture, documented)) === summaryOf(one) &&
    summaryOf(await readWith(t, fixture, request.query)) === summaryOf(two);
  if (!isSteady || one.response === undefined || two.response === undefined || one.response.status >= 500) return [];
  return [
    violationOf('query-styles/parameter-order', fixture.operation, {
      expected: `${summaryOf(one).slice(0, 300)}, as with ${Object.keys(documented).join(', ')}`,
      received: summaryOf(two).slice(0, 300),
      exchanges: [one, two],
    }),
  ];
}

function readWith(t: TestContext, { operation, request }: ListFixture, query: Query): Promise<Exchange> {
  const filled = Object.entries(query).map(([name, value]) => [name, value ?? request.query?.[name]] as const);
  const label = `with ${Object.keys(query).join(', ')}`;
  return t.sendQuietly(operation, { ...request, query: Object.fromEntries(filled), label });
}

function summaryOf(exchange: Exchange): string {
  return `${statusAndType(exchange)}: ${keysOf(exchange.response?.json)?.join(', ') ?? 'no list'}`;
}
