import { checkOf, isServed } from '../../spec/index.ts';
import type { Operation } from '../../spec/index.ts';
import { bodyContent, isJson } from '../../generators/index.ts';
import { OPERATIONS } from '../../domain/builtin/operations.ts';
import type { TestContext } from '../kit/context.ts';
import { defineTest } from '../kit/define-test.ts';
import { isOfFirewall } from '../kit/guaranteed.ts';
import { openSession } from '../kit/session.ts';
import { compare } from './attempts/compare.ts';
import type { Equivalence } from './attempts/compare.ts';
import { fixtureFor } from './attempts/fixture.ts';
import type { Fixture } from './attempts/fixture.ts';
import { sendTwice } from './attempts/served.ts';
import type { CaseOutcome } from './attempts/slot.ts';
import type { Case } from './case.ts';
import { ENCODINGS, encodingsOf, namesOf } from './cases/encodings.ts';
import { UNKNOWN_MEMBERS } from './cases/unknown-members.ts';
import { inManyScripts } from './cases/unusual-items.ts';
import { runProperty } from './run-property.ts';
import type { Property } from './run-property.ts';
import { caseKey } from './violation.ts';
import type { CaseViolation, CaseViolations } from './violation.ts';

const session = await openSession();
const { contract, options } = session;

/** Share of the usual number of cases that are sent in another encoding: encoding and content seldom matter together. */
const ENCODED = 0.3;

/** Share of the usual number of cases that are sent twice and compared: other properties judge single responses. */
const COMPARED = 0.5;

for (const operation of contract.operations) {
  const [first, second] = operation.forms;
  const base = { suite: 'properties/equivalence', operation, effects: ['read', operation.effect] as const };
  if (first !== undefined && second !== undefined && hasInput(operation))
    defineTest(session, {
      ...base,
      title: `${first.name} and ${second.name} respond alike to any request`,
      checks: ['form-equivalence'],
      requirements: ['forms.equivalent'],
      cost: (operation.body === undefined ? 1 : operation.method === 'PUT' ? 8 : 4) * options.runs,
      run: (t) => throughBothForms(t, operation),
    });
  if (operation.body === undefined || operation.effect === 'global' || operation.method === 'PATCH') continue;
  if (operation.id === OPERATIONS.clue || operation.id === OPERATIONS.raw) {
    const isClue = operation.id === OPERATIONS.clue;
    defineTest(session, {
      ...base,
      title: 'the same data is accepted a second time',
      checks: [isClue ? 'clue-accepted' : 'raw-accepted'],
      requirements: [isClue ? 'clue.post' : 'raw.post'],
      cost: 2 * options.runs,
      run: (t) => twice(t, operation, isClue),
    });
  }
  if (!isJson(bodyContent(operation.body)?.type ?? '')) continue;
  defineTest(session, {
    ...base,
    title: 'equal JSON gets the same response in any encoding',
    checks: ['equal-json'],
    requirements: [...new Set(encodingsOf(operation).map(([, each]) => each.requirement))],
    cost: 4 * options.runs,
    run: (t) => inAllEncodings(t, operation),
  });
  defineTest(session, {
    ...base,
    title: 'unknown members are ignored or refused',
    checks: ['no-server-error'],
    requirements: ['errors.no-server-error'],
    cost: 40,
    run: (t) => withUnknownMembers(t, operation),
  });
}

/** True where requests can differ. The state suites test operations that change something without a body. */
function hasInput({ parameters, body, effect, method }: Operation): boolean {
  return (
    parameters.length + (body === undefined ? 0 : 1) > 0 &&
    effect !== 'global' &&
    (method === 'GET' || (method !== 'DELETE' && body !== undefined))
  );
}

async function run(
  t: TestContext,
  fixture: Fixture,
  property: Pick<Property, 'examples' | 'draws' | 'casesPerRun' | 'test' | 'repeat' | 'lanes'>,
): Promise<void> {
  const { operation, arbitrary, notReturned } = fixture;
  await runProperty(t, { operation, shrinker: arbitrary, notReturned, ...property });
}

async function throughBothForms(t: TestContext, operation: Operation): Promise<void> {
  const fixture = await fixtureFor(t, operation);
  const names = operation.forms.map(({ name }) => name);
  const equivalence = (one: number, two: number): Equivalence => ({
    operation,
    requirement: 'forms.equivalent',
    names: [names[one] ?? '', names[two] ?? ''],
    codes: {
      status: 'form-equivalence/status',
      'media-type': 'form-equivalence/media-type',
      shape: 'form-equivalence/shape',
    },
  });
  const test = async (value: Case, patient: boolean): CaseViolations => {
    const one = await fixture.test(t, { ...value, form: 0 }, patient);
    const two = await fixture.test(t, { ...value, form: 1 }, patient);
    if (conflicts(operation, one, two)) return [];
    const difference = (first: CaseOutcome): readonly CaseViolation[] => {
      const found = compare(equivalence(0, 1), first, two);
      return (found.length > 0 ? found : compare(equivalence(1, 0), two, first)).slice(0, 1);
    };
    const found = difference(one);
    if (operation.method !== 'PATCH' || found.every(({ code }) => checkOf(code) === 'no-server-error')) return found;
    // The first patch may have changed what the second applies to, by moving a member for example: sent again, it is answered as the second.
    const again = await fixture.test(t, { ...value, form: 0 }, patient);
    return difference(again).length === 0 ? [] : found;
  };
  await run(t, fixture, { ...halfSwept(fixture), test, lanes: 6 });
}

/** True where a request conflicts with the state: the run of the request before may still be running, or no more items may exist. */
function conflicts({ effect, method }: Operation, ...outcomes: readonly CaseOutcome[]): boolean {
  return (
    (effect === 'costly' || method === 'POST') && outcomes.some(({ exchange }) => exchange.response?.status === 409)
  );
}

async function twice(t: TestContext, operation: Operation, isClue: boolean): Promise<void> {
  const fixture = await fixtureFor(t, operation);
  const code = isClue ? 'clue-accepted/second-time' : 'raw-accepted/second-time';
  const equivalence: Equivalence = {
    operation,
    requirement: isClue ? 'clue.post' : 'raw.post',
    names: ['new data', 'the same data again'],
    codes: { status: code, 'media-type': code, shape: code },
  };
  const test = async (value: Case, patient: boolean): CaseViolations => {
    const one = await fixture.test(t, value, patient);
    const two = await fixture.test(t, value, patient);
    // A deployment may refuse data that it has stored already as a conflict, or answer it with another success.
    if (two.exchange.response?.status === 409) return [];
    const found = compare(equivalence, one, two);
    return found.filter((each) => each.code !== code || !isServed(two.exchange)).slice(0, 1);
  };
  await run(t, fixture, { ...halfSwept(fixture), test, repeat: () => sendTwice(t, fixture) });
}

async function inAllEncodings(t: TestContext, operation: Operation): Promise<void> {
  const fixture = await fixtureFor(t, operation);
  const test = async (value: Case, patient: boolean): CaseViolations => {
    const { variant = '', ...plain } = value;
    const encoding = ENCODINGS[variant];
    if (encoding === undefined) return [];
    const one = await fixture.test(t, plain, patient);
    const two = await fixture.test(t, value, patient);
    // A firewall may take a text for an attack, and the same text with escapes for none.
    if (conflicts(operation, one, two) || isOfFirewall(t.session, { exchanges: [one.exchange] })) return [];
    const equivalence: Equivalence = {
      operation,
      requirement: encoding.requirement,
      names: namesOf(encoding),
      codes: { status: 'equal-json/status', 'media-type': 'equal-json/media-type', shape: 'equal-json/shape' },
    };
    return compare(equivalence, one, two).slice(0, 1);
  };
  const names = encodingsOf(operation).map(([name]) => name);
  const scripts = names.map((variant, form): Case => ({ request: inManyScripts(fixture.base), form, variant }));
  const examples = [...scripts, ...inVariants(fixture, names, Math.ceil(options.runs * ENCODED))];
  await run(t, fixture, { examples, test, lanes: 6 });
}

async function withUnknownMembers(t: TestContext, operation: Operation): Promise<void> {
  const fixture = await fixtureFor(t, operation);
  const names = Object.keys(UNKNOWN_MEMBERS);
  await run(t, fixture, {
    examples: inVariants(fixture, names, names.length),
    test: (value, patient) => onlyWithVariant(t, fixture, value, patient),
  });
}

/** Violations with the unknown member in the body that do not occur without it. */
async function onlyWithVariant(
  t: TestContext,
  fixture: Fixture,
  { variant = '', ...plain }: Case,
  patient: boolean,
): CaseViolations {
  const found = (await fixture.test(t, { ...plain, variant }, patient)).violations.filter(({ code }) =>
    ['no-server-error', 'answered'].includes(checkOf(code)),
  );
  if (found.length === 0) return [];
  const known = new Set((await fixture.test(t, plain, patient)).violations.map(caseKey));
  return found.filter((each) => !known.has(caseKey(each)));
}

/** A plain request, half of the sweep, and drawn requests. */
function halfSwept({ arbitrary, base }: Fixture): Pick<Property, 'examples' | 'draws' | 'casesPerRun'> {
  const requests = [base, ...arbitrary.sweep(options.seed).filter((_, index) => index % 2 === 0)];
  return { examples: requests.map((request) => ({ request, form: 0 })), draws: arbitrary, casesPerRun: COMPARED };
}

/** The plain request in every variant, then `more` other requests, each in one of them. */
function inVariants({ arbitrary, base }: Fixture, names: readonly string[], more: number): readonly Case[] {
  const plain = names.map((variant, form): Case => ({ request: base, form, variant }));
  const half = Math.ceil(more / 2);
  const others = [...arbitrary.sweep(options.seed, half), ...arbitrary.sample(more - half, options.seed)];
  return [
    ...plain,
    ...others.map((request, form): Case => ({ request, form, variant: names[form % names.length] ?? '' })),
  ];
}
