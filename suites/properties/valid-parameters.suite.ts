import type { GeneratedRequest } from '../../generators/index.ts';
import type { CheckName, Operation, Parameter } from '../../spec/index.ts';
import { isObject } from '../../spec/index.ts';
import { defineTest } from '../kit/define-test.ts';
import type { TestDefinition } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import type { TestContext } from '../kit/context.ts';
import { tryServed } from './attempts/served.ts';
import { placeholders, requestsOf } from './cases/plain.ts';
import { isTame, pathCases, queryCases, queryFamilies, queryStates } from './cases/queries.ts';
import type { Case } from './hunt/case.ts';
import { hunt } from './hunt/hunt.ts';
import { validRequest } from '../../domain/requests.ts';

const session = await openSession();
const { contract, options } = session;
const CHECKS: readonly CheckName[] = [
  'no-server-error',
  'answered',
  'status-documented',
  'body-fits-schema',
  'valid-request-served',
];

for (const operation of contract.operations) {
  if (!isTried(operation)) continue;
  const base: Omit<TestDefinition, 'title'> = {
    suite: 'properties/valid-parameters',
    operation,
    checks: CHECKS,
    requirements: ['errors.no-server-error'],
    effects: ['read', operation.effect],
    cost: options.runs,
  };
  const arbitrary = requestsOf(contract, operation);
  if (arbitrary === undefined) continue;
  const families = queryFamilies(arbitrary);
  if (session.knowledge.guarantees('valid-requests-succeed', operation)) {
    for (const family of families)
      defineTest(session, { ...base, title: `whatever ${family.name}` }, (t) =>
        run(t, operation, (plain) => queryCases(plain, arbitrary, family)),
      );
    for (const { name } of operation.parameters.filter(isFreeText)) {
      for (const sort of ['characters', 'lengths'] as const)
        defineTest(session, { ...base, title: `whatever {${name}} ${sort}` }, (t) =>
          run(t, operation, (plain) => pathCases(operation, plain, name, sort), name),
        );
    }
  }
  if (families.length > 0 || hasMore(operation)) {
    defineTest(session, { ...base, title: 'whatever parameters are combined' }, (t) =>
      run(t, operation, (plain) => queryStates(plain, arbitrary, options.seed, 10 * options.runs)),
    );
    defineTest(session, { ...base, title: 'generated parameters are served or refused' }, (t) =>
      run(t, operation, (plain) => generated(operation, plain)),
    );
  } else
    defineTest(session, { ...base, title: 'served each time' }, (t) => run(t, operation, (plain) => steady(plain)));
}

/** What only reads, and what changes something of the run's own without a body. */
function isTried({ method, body, effect }: Operation): boolean {
  return method === 'GET' || (method === 'POST' && body === undefined && effect === 'reversible');
}

/** Other descriptions have parameters in headers and cookies too. */
function hasMore({ parameters }: Operation): boolean {
  return parameters.some((each) => each.in === 'cookie' || each.in === 'header');
}

function isFreeText(parameter: Parameter): boolean {
  const { schema } = contract.resolve(parameter.schema);
  return (
    parameter.in === 'path' &&
    isObject(schema) &&
    schema['type'] === 'string' &&
    schema['format'] === undefined &&
    schema['enum'] === undefined
  );
}

async function run(
  t: TestContext,
  operation: Operation,
  casesOf: (plain: GeneratedRequest) => Iterable<Case>,
  free?: string,
): Promise<void> {
  const { path, query = {}, cookies } = await validRequest(t, operation);
  const own = Object.fromEntries(Object.entries(path).filter(([name]) => name !== free));
  const needed = Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const pinned = Object.fromEntries(Object.entries(placeholders(operation)).filter(([name]) => name !== free));
  const plain: GeneratedRequest = {
    path: { ...pinned, ...(free === undefined ? {} : { [free]: 'a' }) },
    query: {},
    headers: {},
  };
  const arbitrary = requestsOf(contract, operation, pinned);
  await hunt(t, {
    operation,
    cases: casesOf(plain),
    ...(arbitrary === undefined ? {} : { arbitrary }),
    attempt: async (value) =>
      (
        await tryServed(t, operation, whole(value, needed, free === undefined && operation.method === 'GET'), {
          path: own,
          ...(cookies === undefined ? {} : { cookies }),
        })
      ).flaws,
  });
}

/** The case with the query without which the call is not whole; to change what was changed already may well be a conflict. */
function whole(value: Case, needed: GeneratedRequest['query'], tame: boolean): Case {
  return {
    ...value,
    request: { ...value.request, query: { ...needed, ...value.request.query } },
    served: tame && isTame(value.request),
  };
}

function* generated(operation: Operation, plain: GeneratedRequest): Iterable<Case> {
  const arbitrary = requestsOf(contract, operation);
  if (arbitrary === undefined) return;
  const sweep = arbitrary.sweep(options.seed);
  yield { request: plain, form: 0 };
  yield* unknown(plain);
  for (let index = 0; ; index += 1) yield { request: sweep[index] ?? arbitrary.at(index, options.seed), form: index };
}

/** Parameters that no description knows: to be ignored or refused. */
function* unknown(plain: GeneratedRequest): Iterable<Case> {
  for (const [form, name] of ['assayUnknown', 'assay[unknown]', 'constructor'].entries())
    yield { request: { ...plain, query: { ...plain.query, [name]: 'x' } }, form, label: `?${name}` };
}

function* steady(plain: GeneratedRequest): Iterable<Case> {
  yield* unknown(plain);
  for (let form = 0; ; form += 1) yield { request: plain, form };
}
