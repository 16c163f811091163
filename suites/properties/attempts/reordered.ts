import type { Exchange, Json } from '../../../spec/index.ts';
import { headOf } from '../../kit/compare.ts';
import { idsOf } from '../../../domain/items.ts';
import type { ListFixture } from '../../../domain/list-fixture.ts';
import type { TestContext } from '../../kit/context.ts';
import { pageQuery, pagingOf } from '../../../domain/read-list.ts';
import type { Case } from '../hunt/case.ts';
import type { Flaw } from '../hunt/flaw.ts';
import type { Shrinker } from '../hunt/shrink.ts';

type Query = Readonly<Record<string, Json>>;

/** The second page of a list by all parameters, each of them first once, and all of them the other way round. Null stands for what only the run knows. */
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

/** Leaves parameters out, but for those without which others' items are in the list. */
export function fewerParameters(simplest: Case['request']): Shrinker {
  return {
    simplest,
    accepts: () => false,
    *shrink(value) {
      for (const name of Object.keys(value.query)) {
        const { [name]: gone, ...query } = value.query;
        if (gone !== null) yield { value: { ...value, query } };
      }
    },
  };
}

/** The same parameters in the order of the document and in the case's: what they select must be the same. */
export async function tryReordered(t: TestContext, fixture: ListFixture, { request }: Case): Promise<readonly Flaw[]> {
  const names = fixture.operation.parameters.map(({ name }) => name);
  const usual = Object.fromEntries(
    Object.entries(request.query).toSorted(([a], [b]) => names.indexOf(a) - names.indexOf(b)),
  );
  const [one, two] = [await look(t, fixture, usual), await look(t, fixture, request.query)];
  if (told(one) === told(two)) return [];
  const steady =
    told(await look(t, fixture, usual)) === told(one) && told(await look(t, fixture, request.query)) === told(two);
  if (!steady || one.response === undefined || two.response === undefined || one.response.status >= 500) return [];
  return [
    {
      check: 'query-styles',
      operation: fixture.operation,
      kind: 'parameters in another order',
      message: `${fixture.operation.id} answers otherwise where the parameters stand in another order`,
      expected: `${told(one)}, as with ${Object.keys(usual).join(', ')}`,
      received: told(two),
      exchanges: [one, two],
      final: false,
    },
  ];
}

function look(t: TestContext, { operation, request }: ListFixture, query: Query): Promise<Exchange> {
  const whole = Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, value ?? request.query?.[name]]),
  );
  return t.sendQuietly(operation, { ...request, query: whole, label: `with ${Object.keys(query).join(', ')}` });
}

function told(exchange: Exchange): string {
  return `${headOf(exchange)}: ${idsOf(exchange.response?.json)?.join(', ') ?? 'no list'}`.slice(0, 300);
}
