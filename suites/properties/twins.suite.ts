import type { Operation } from '../../spec/index.ts';
import { defineTest } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import type { TestContext } from '../kit/context.ts';
import { sendTwice } from './attempts/again.ts';
import { benchOf } from './attempts/bench.ts';
import type { Bench } from './attempts/bench.ts';
import { compare } from './attempts/compare.ts';
import type { Outcome } from './attempts/stage.ts';
import { DRESSES, STRANGE_MEMBERS } from './cases/dresses.ts';
import { inManyScripts } from './cases/odd-items.ts';
import type { Case } from './hunt/case.ts';
import { keyOf } from './hunt/flaw.ts';
import type { Flaw } from './hunt/flaw.ts';
import { hunt } from './hunt/hunt.ts';
import { OPERATIONS } from '../../domain/builtin/operations.ts';

const session = await openSession();
const { contract, options } = session;

/** Share of the cases of a property that are dressed: how a body is written seldom matters together with what it says. */
const DRESSED = 0.3;

for (const operation of contract.operations) {
  const [first, second] = operation.forms;
  const base = { suite: 'properties/twins', operation, effects: ['read', operation.effect] as const };
  if (
    first !== undefined &&
    second !== undefined &&
    operation.parameters.length + (operation.body === undefined ? 0 : 1) > 0 &&
    operation.effect !== 'global' &&
    operation.method !== 'DELETE' &&
    !isBare(operation)
  ) {
    defineTest(
      session,
      {
        ...base,
        title: `any request is answered alike through ${first.name} and ${second.name}`,
        checks: ['form-equivalence'],
        requirements: ['forms.equivalent'],
        cost: 2 * options.runs,
      },
      (t) => throughBoth(t, operation),
    );
  }
  if (operation.body === undefined || operation.effect === 'global' || operation.method === 'PATCH') continue;
  if (operation.id === OPERATIONS.clue || operation.id === OPERATIONS.raw) {
    defineTest(
      session,
      {
        ...base,
        title: 'the same data twice is answered alike',
        checks: [operation.id === OPERATIONS.clue ? 'clue-accepted' : 'raw-accepted'],
        requirements: [operation.id === OPERATIONS.clue ? 'clue.post' : 'raw.post'],
        cost: 2 * options.runs,
      },
      (t) => twice(t, operation),
    );
  }
  defineTest(
    session,
    {
      ...base,
      title: 'equal JSON is answered alike, however it is written',
      checks: ['equal-json'],
      requirements: [...new Set(Object.values(DRESSES).map((each) => each.requirement))],
      cost: 4 * options.runs,
    },
    (t) => dressed(t, operation),
  );
  defineTest(
    session,
    {
      ...base,
      title: 'strange members are ignored or refused',
      checks: ['no-server-error'],
      requirements: ['errors.no-server-error'],
      cost: 40,
    },
    (t) => strange(t, operation),
  );
}

/** Changes something without a word: the state suites watch these. */
function isBare(operation: Operation): boolean {
  return operation.body === undefined && operation.method !== 'GET';
}

async function throughBoth(t: TestContext, operation: Operation): Promise<void> {
  const bench = await benchOf(t, operation);
  const [first, second] = operation.forms;
  const twins = {
    operation,
    check: 'form-equivalence',
    requirement: 'forms.equivalent',
    names: [first?.name ?? '', second?.name ?? ''],
  } as const;
  const attempt = async (value: Case, patient: boolean): Promise<readonly Flaw[]> => {
    const one = await bench.attempt(t, { ...value, form: 0 }, patient);
    const two = await bench.attempt(t, { ...value, form: 1 }, patient);
    if (isBusy(operation, one, two)) return [];
    const [wrong] = compare(twins, one, two);
    return wrong === undefined
      ? compare({ ...twins, names: [twins.names[1], twins.names[0]] }, two, one).slice(0, 1)
      : [wrong];
  };
  await hunt(t, {
    operation,
    arbitrary: bench.arbitrary,
    habits: bench.habits,
    cases: some(bench),
    attempt,
    inFlight: 6,
  });
}

/** What is set going may be in conflict with what is still going from the request before. */
function isBusy({ effect }: Operation, ...outcomes: readonly Outcome[]): boolean {
  return effect === 'costly' && outcomes.some(({ exchange }) => exchange.response?.status === 409);
}

async function twice(t: TestContext, operation: Operation): Promise<void> {
  const bench = await benchOf(t, operation);
  const clue = operation.id === OPERATIONS.clue;
  const twins = {
    operation,
    check: clue ? 'clue-accepted' : 'raw-accepted',
    requirement: clue ? 'clue.post' : 'raw.post',
    names: ['the first time', 'the second time'],
  } as const;
  const attempt = async (value: Case, patient: boolean): Promise<readonly Flaw[]> => {
    const one = await bench.attempt(t, value, patient);
    return compare(twins, one, await bench.attempt(t, value, patient)).slice(0, 1);
  };
  await hunt(t, {
    operation,
    arbitrary: bench.arbitrary,
    habits: bench.habits,
    cases: some(bench),
    attempt,
    again: () => sendTwice(t, bench),
  });
}

async function dressed(t: TestContext, operation: Operation): Promise<void> {
  const bench = await benchOf(t, operation);
  const attempt = async (value: Case, patient: boolean): Promise<readonly Flaw[]> => {
    const dress = DRESSES[value.variant ?? ''];
    if (dress === undefined) return [];
    const { variant: name = '', ...plain } = value;
    const one = await bench.attempt(t, plain, patient);
    const two = await bench.attempt(t, value, patient);
    if (isBusy(operation, one, two)) return [];
    return compare(
      { operation, check: 'equal-json', requirement: dress.requirement, names: ['plain JSON', name] },
      one,
      two,
    ).slice(0, 1);
  };
  const names = Object.keys(DRESSES);
  await hunt(t, {
    operation,
    arbitrary: bench.arbitrary,
    habits: bench.habits,
    cases: dressedCases(bench, names),
    attempt,
    inFlight: 6,
  });
}

async function strange(t: TestContext, operation: Operation): Promise<void> {
  const bench = await benchOf(t, operation);
  const names = Object.keys(STRANGE_MEMBERS);
  await hunt(t, {
    operation,
    arbitrary: bench.arbitrary,
    habits: bench.habits,
    cases: [...varied(bench, names, 2 * names.length)],
    attempt: (value, patient) => onlyStrange(t, bench, value, patient),
  });
}

/** What is wrong with the strange member in the body, and well without it. */
async function onlyStrange(
  t: TestContext,
  bench: Bench,
  { variant = '', ...plain }: Case,
  patient: boolean,
): Promise<readonly Flaw[]> {
  const odd = (await bench.attempt(t, { ...plain, variant }, patient)).flaws.filter(
    (each) => each.check === 'no-server-error' || each.check === 'answered',
  );
  if (odd.length === 0) return [];
  const known = new Set((await bench.attempt(t, plain, patient)).flaws.map(keyOf));
  return odd.filter((each) => !known.has(keyOf(each)));
}

/** Valid requests: a plain one, the systematic ones, made-up ones. */
function* some({ arbitrary, base }: Bench): Iterable<Case> {
  yield { request: base, form: 0 };
  const sweep = arbitrary.sweep(options.seed);
  for (let index = 1; ; index += 1)
    yield { request: (index % 2 === 0 ? sweep[index] : undefined) ?? arbitrary.at(index, options.seed), form: 0 };
}

/** In each dress the plain body, and one in many scripts: how a body is written may tell how it is decoded. Then others. */
function* dressedCases(bench: Bench, names: readonly string[]): Iterable<Case> {
  for (const [form, variant] of names.entries()) yield { request: inManyScripts(bench.base), form, variant };
  yield* varied(bench, names, names.length + Math.ceil(options.runs * DRESSED));
}

/** The plain body in each variant, then others. */
function* varied(bench: Bench, names: readonly string[], most = Infinity): Iterable<Case> {
  let index = 0;
  for (const { request, form } of some(bench)) {
    for (const variant of index === 0 ? names : [names[index % names.length] ?? ''])
      yield { request, form: form + index, variant };
    index += 1;
    if (index + names.length > most) return;
  }
}
