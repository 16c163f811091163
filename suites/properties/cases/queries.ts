import type { Arbitrary } from 'fast-check';
import type { GeneratorArbitrary, GeneratedRequest } from '../../../generators/index.ts';
import { isObject } from '../../../spec/index.ts';
import type { Json, JsonObject, Operation } from '../../../spec/index.ts';
import type { Case } from '../case.ts';
import { deviationsAt, inTurn } from './deviations.ts';
import type { Sort } from './deviations.ts';
import { partsOf } from '../../../generators/index.ts';
import { memberStates } from './parts.ts';

/** Most characters of a value: every server accepts a request line of this length. */
const LONGEST = 2000;

/** Index of the plain value with every parameter in the sweep of an arbitrary. */
const PLAIN = 3;

/** Plain values for every query parameter. */
export function fullQuery(arbitrary: GeneratorArbitrary<GeneratedRequest>): JsonObject {
  const query = arbitrary.sweep(7, PLAIN + 1)[PLAIN]?.query ?? {};
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [
      name,
      isObject(value) ? { 'assay-1': 'one', 'assay-2': 'two' } : value,
    ]),
  );
}

/** Cases that vary one parameter in one respect, or all remaining parameters. */
export interface QueryFamily {
  readonly name: string;
  readonly parameter?: string;
  readonly sort?: Sort;
}

/** One family for each text or map parameter and respect, and one for all other parameters. */
export function queryFamilies(arbitrary: GeneratorArbitrary<GeneratedRequest>): readonly QueryFamily[] {
  const query = fullQuery(arbitrary);
  const names = Object.keys(query);
  const single = Object.entries(query).flatMap(([parameter, value]): QueryFamily[] => {
    if (typeof value === 'string')
      return (['characters', 'lengths'] as const).map((sort) => ({ name: `${parameter} ${sort}`, parameter, sort }));
    return typeof value === 'object' && value !== null ? [{ name: `${parameter} entries`, parameter }] : [];
  });
  return names.length === 0 ? [] : [...single, { name: 'numbers and flags' }];
}

export function* queryCases(
  base: GeneratedRequest,
  arbitrary: GeneratorArbitrary<GeneratedRequest>,
  { parameter, sort }: QueryFamily,
): Iterable<Case> {
  const full = fullQuery(arbitrary);
  const names =
    parameter === undefined
      ? Object.keys(full).filter((name) => typeof full[name] !== 'string' && !isHolder(full[name]))
      : [parameter];
  let form = 0;
  for (const { name, value, label } of inTurn(names.map((each) => deviating(full, each, sort)))) {
    const request = { ...base, query: { ...base.query, [name]: value } };
    form += 1;
    if (arbitrary.accepts(request)) yield { request, form, label: `?${name}: ${label}`, served: isHarmless(request) };
  }
}

function isHolder(value: Json | undefined): boolean {
  return typeof value === 'object' && value !== null;
}

function* deviating(
  full: JsonObject,
  name: string,
  sort: Sort | undefined,
): Iterable<{ name: string; value: Json; label: string }> {
  const places = [...partsOf(full)].filter(({ path }) => path[0] === name);
  const sorts: readonly Sort[] = sort === undefined ? ['shape', 'characters'] : [sort];
  for (const { value, label } of inTurn(
    places.flatMap(({ path, value: part }) => sorts.map((each) => deviationsAt(full, path, part, each))),
  )) {
    const given = isObject(value) ? value[name] : undefined;
    if (given !== undefined && given !== null && JSON.stringify(given).length <= LONGEST)
      yield { name, value: given, label };
  }
}

/** Combinations of parameters: given, left out, with another value. */
export function queryStates(
  base: GeneratedRequest,
  arbitrary: GeneratorArbitrary<GeneratedRequest>,
): Arbitrary<GeneratedRequest> {
  const withQuery = (query: Json): GeneratedRequest => ({
    ...base,
    query: { ...base.query, ...(isObject(query) ? query : {}) },
  });
  const isValid = (query: Json): boolean => arbitrary.accepts(withQuery(query));
  return memberStates(fullQuery(arbitrary), [], isValid).map(withQuery);
}

/** The largest numbers that are surely served: the maximum page size is not documented, and not below the default. */
const MOST: Readonly<Record<string, number>> = { page: 100, pageNumber: 100, take: 20, pageSize: 10 };

/** Fewer characters to search for may be refused. */
const SHORTEST_SEARCH = 3;

/** True for a query that no deployment has a reason to refuse: small page numbers, flags and words to search for. */
export function isHarmless({ query }: GeneratedRequest): boolean {
  return Object.entries(query).every(([name, value]) => {
    if (typeof value === 'boolean') return true;
    if (typeof value === 'number') return value >= 1 && value <= (MOST[name] ?? 0);
    return (
      /^search/i.test(name) &&
      typeof value === 'string' &&
      /^[\p{L}\p{N} ]{1,50}$/u.test(value) &&
      value.trim().length >= SHORTEST_SEARCH
    );
  });
}

/** Texts for a path parameter that is not an id. */
export function* pathCases(operation: Operation, base: GeneratedRequest, name: string, sort: Sort): Iterable<Case> {
  let form = 0;
  for (const { value, label } of deviationsAt({ [name]: 'a' }, [name], 'a', sort)) {
    const text = isObject(value) ? value[name] : undefined;
    if (
      typeof text !== 'string' ||
      text === '' ||
      /^\.{1,2}$/.test(text) ||
      /\p{Surrogate}/u.test(text) ||
      text.length > LONGEST
    )
      continue;
    form += 1;
    yield {
      request: { ...base, path: { ...base.path, [name]: text } },
      form,
      label: `{${name}}: ${label} in ${operation.path}`,
    };
  }
}
