import { constant } from 'fast-check';
import type { GeneratorArbitrary, GeneratedRequest } from '../../generators/index.ts';
import type { Exchange, Operation, Parameter } from '../../spec/index.ts';
import { findOperation } from '../../domain/builtin/operations.ts';
import { itemsIn } from '../../domain/items.ts';
import { validRequest } from '../../domain/requests.ts';
import type { Evaluation, TestContext } from '../kit/context.ts';
import { defineTest, mayDefine } from '../kit/define-test.ts';
import type { TestDefinition } from '../kit/define-test.ts';
import { parameterSchema } from '../kit/schema-parts.ts';
import { firstAnswer } from '../kit/first-answer.ts';
import { openSession } from '../kit/session.ts';
import { violationOf } from '../kit/violation.ts';
import { tryServed } from './attempts/served.ts';
import type { Case } from './case.ts';
import { placeholders, generatedRequests } from './cases/plain.ts';
import { isHarmless, pathCases, queryCases, queryFamilies, queryStates } from './cases/queries.ts';
import { runProperty } from './run-property.ts';
import type { Property } from './run-property.ts';
import { EXCHANGE_CHECKS } from './violation.ts';

const session = await openSession();
const { contract, options } = session;

/** Lists that no operation of the API changes. */
const CATALOGUES = new Set([findOperation(contract, 'actions'), findOperation(contract, 'skills')]);

for (const operation of contract.operations) {
  const isDefined = isTested(operation) && mayDefine(session, 'properties/valid-parameters', operation);
  const arbitrary = isDefined ? generatedRequests(contract, operation) : undefined;
  if (arbitrary !== undefined) declare(operation, arbitrary);
}

/** A list that showed items at first, and shows none after many requests. */
async function findEmptied(t: TestContext, operation: Operation, first: Exchange): Evaluation {
  const last = await t.send(operation, { label: 'list once more' });
  if ((itemsIn(first) ?? []).length === 0 || itemsIn(last)?.length !== 0) return undefined;
  return violationOf('published-behaviour/missing', operation, {
    grade: 'inferred',
    message: `${operation.id}: the list is empty after it had items`,
    expected: 'the items as before',
    received: 'no items',
    exchanges: [first, last],
  });
}

function declare(operation: Operation, arbitrary: GeneratorArbitrary<GeneratedRequest>): void {
  const isCatalogue = CATALOGUES.has(operation);
  const base: Omit<TestDefinition, 'title' | 'run'> = {
    suite: 'properties/valid-parameters',
    operation,
    checks: isCatalogue ? [...EXCHANGE_CHECKS, 'published-behaviour'] : EXCHANGE_CHECKS,
    requirements: ['errors.no-server-error'],
    effects: ['read', operation.effect],
    cost: options.runs,
  };
  const define = (title: string, casesOf: (plain: GeneratedRequest) => Cases, free?: string): void =>
    defineTest(session, {
      ...base,
      title,
      run: async (t) => {
        const first = isCatalogue ? await firstAnswer(t, await t.send(operation, { label: 'list' })) : undefined;
        await run(t, operation, casesOf, free);
        if (first !== undefined) await t.holds((t) => findEmptied(t, operation, first));
      },
    });
  const families = queryFamilies(arbitrary);
  if (session.knowledge.guarantees('valid-requests-succeed', operation)) {
    for (const family of families)
      define(`accepts unusual values: ${family.name}`, (plain) => ({ examples: queryCases(plain, arbitrary, family) }));
    for (const { name } of operation.parameters.filter(isFreeText))
      for (const sort of ['characters', 'lengths'] as const)
        define(
          `accepts unusual values: {${name}} ${sort}`,
          (plain) => ({ examples: pathCases(operation, plain, name, sort) }),
          name,
        );
  }
  if (families.length === 0 && !operation.parameters.some((each) => each.in === 'cookie' || each.in === 'header')) {
    define('succeeds every time', (plain) => ({
      examples: unknownParameters(plain),
      draws: constant(plain),
      casesPerRun: REPEATED,
    }));
    return;
  }
  define('accepts parameters in any combination', (plain) => ({ examples: [], draws: queryStates(plain, arbitrary) }));
  define('generated parameters are accepted or refused', (plain) => ({
    examples: [{ request: plain, form: 0 }, ...unknownParameters(plain), ...sweep(arbitrary)],
    draws: arbitrary,
  }));
}

/** Share of the usual number of cases where a request is only repeated. */
const REPEATED = 0.5;

type Cases = Pick<Property, 'examples' | 'draws' | 'casesPerRun'>;

/** True for operations that read, and for those without a body that change items of the run. */
function isTested({ method, body, effect }: Operation): boolean {
  return method === 'GET' || (method === 'POST' && body === undefined && effect === 'reversible');
}

function isFreeText(parameter: Parameter): boolean {
  const { type, format, enum: values } = parameterSchema(contract, parameter);
  return parameter.in === 'path' && type === 'string' && format === undefined && values === undefined;
}

/** `free`: the path parameter that the cases set. */
async function run(
  t: TestContext,
  operation: Operation,
  casesOf: (plain: GeneratedRequest) => Cases,
  free?: string,
): Promise<void> {
  const { path, query = {} } = await validRequest(t, operation);
  const isPinned = ([name]: readonly [string, unknown]): boolean => name !== free;
  const own = Object.fromEntries(Object.entries(path).filter(isPinned));
  const pinned = Object.fromEntries(Object.entries(placeholders(operation)).filter(isPinned));
  const required = Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const plain = { path: { ...pinned, ...(free === undefined ? {} : { [free]: 'a' }) }, query: {}, headers: {} };
  const slot = { path: own };
  await runProperty(t, {
    operation,
    ...casesOf(plain),
    shrinker: generatedRequests(contract, operation, pinned),
    test: async (value) => {
      const { request } = value;
      const whole = { ...request, query: { ...required, ...request.query } };
      // A POST that sets a state a second time may be a conflict.
      const isKnown = (name: string): boolean => operation.parameters.some((each) => each.name === name);
      const isServed = isHarmless(request) && Object.keys(request.query).every(isKnown);
      const served = free === undefined && operation.method === 'GET' && isServed;
      return (await tryServed(t, operation, { ...value, request: whole, served }, slot)).violations;
    },
  });
}

function sweep(arbitrary: GeneratorArbitrary<GeneratedRequest>): readonly Case[] {
  return arbitrary.sweep(options.seed).map((request, form) => ({ request, form }));
}

/** Parameters that no description knows: to be ignored or refused. */
function unknownParameters(plain: GeneratedRequest): readonly Case[] {
  return ['assayUnknown', 'assay[unknown]', 'constructor'].map((name, form) => ({
    request: { ...plain, query: { ...plain.query, [name]: 'x' } },
    form,
    label: `?${name}`,
  }));
}
