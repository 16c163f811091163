import type { ListFixture } from '../../domain/list-fixture.ts';
import type { Json } from '../../spec/index.ts';

/** The list without the query that leaves out what others added to it. */
export function unfiltered(fixture: ListFixture): ListFixture | undefined {
  const { query, ...request } = fixture.request;
  return query === undefined || !fixture.isolated ? undefined : { ...fixture, request, isolated: false };
}

/** Queries that turn a list round, by the parameter that does it. */
const TURNS: Readonly<Record<string, Json>> = { orderAsc: false, sortDirection: 1 };

/** The same list the other way round, where the operation takes a direction. */
export function turnedRound(fixture: ListFixture): ListFixture | undefined {
  const { operation, request } = fixture;
  const name = operation.parameters.find((each) => each.in === 'query' && Object.hasOwn(TURNS, each.name))?.name;
  if (name === undefined) return undefined;
  return { ...fixture, request: { ...request, query: { ...request.query, [name]: TURNS[name] ?? null } } };
}
