import { isObject } from '../../spec/index.ts';
import type { CheckName, Json, Operation } from '../../spec/index.ts';
import { defineTest } from '../kit/define-test.ts';
import type { TestDefinition } from '../kit/define-test.ts';
import { resourcesOf } from '../../domain/resources.ts';
import { openSession } from '../kit/session.ts';
import type { TestContext } from '../kit/context.ts';
import { sendTwice } from './attempts/again.ts';
import { benchOf } from './attempts/bench.ts';
import type { Bench } from './attempts/bench.ts';
import { ENTITY_PATH } from '../../domain/builtin/cases/clues.ts';
import { familiesOf } from './cases/deviations.ts';
import { memberStates } from './cases/member-states.ts';
import { fullRequest, requestsOf } from './cases/plain.ts';
import { isPromised } from './cases/promised.ts';
import { towards } from './cases/towards.ts';
import { withBody } from './hunt/case.ts';
import type { Case } from './hunt/case.ts';
import { hunt } from './hunt/hunt.ts';
import { OPERATIONS } from '../../domain/builtin/operations.ts';

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
  if (operation.body === undefined || operation.effect === 'global' || operation.method === 'PATCH') continue;
  const stored = resourcesOf(contract).find((each) => each.create === operation || each.replace === operation);
  const check: readonly CheckName[] =
    stored === undefined
      ? operation.id === OPERATIONS.raw
        ? ['raw-accepted']
        : []
      : [operation === stored.create ? 'created-reads-back' : 'updated-reads-back'];
  const base: Omit<TestDefinition, 'title'> = {
    suite: 'properties/valid-bodies',
    operation,
    checks: [...CHECKS, ...check],
    requirements: ['errors.no-server-error'],
    effects: ['reversible', operation.effect],
    cost: options.runs * (stored === undefined ? 1 : 3),
  };
  if (session.knowledge.guarantees('valid-requests-succeed', operation)) declareFamilies(operation, base);
  defineTest(session, { ...base, title: 'generated bodies are served or refused, and kept as sent' }, (t) =>
    run(t, operation, generated),
  );
}

function declareFamilies(operation: Operation, base: Omit<TestDefinition, 'title'>): void {
  for (const name of familyNames(operation)) {
    defineTest(session, { ...base, title: `whatever ${name}` }, (t) =>
      run(t, operation, (bench) => family(bench, name)),
    );
  }
  defineTest(session, { ...base, title: 'whatever members are left out, null or empty' }, (t) =>
    run(t, operation, states),
  );
}

async function run(t: TestContext, operation: Operation, casesOf: (bench: Bench) => Iterable<Case>): Promise<void> {
  const bench = await benchOf(t, operation);
  await hunt(t, {
    operation,
    cases: casesOf(bench),
    arbitrary: bench.arbitrary,
    habits: bench.habits,
    attempt: async (value, patient) => (await bench.attempt(t, value, patient)).flaws,
    ...(isPromised(operation.id, null) === undefined ? {} : { promised: towards(bench.base) }),
    ...(isPosted(operation) ? { again: () => sendTwice(t, bench) } : {}),
  });
}

/** True where nothing that could be read or removed tells what a request did. */
function isPosted(operation: Operation): boolean {
  return operation.method === 'POST' && !resourcesOf(contract).some((each) => each.create === operation);
}

function* generated({ arbitrary, base }: Bench): Iterable<Case> {
  yield { request: base, form: 0 };
  const sweep = arbitrary.sweep(options.seed);
  for (let index = 0; ; index += 1) yield { request: sweep[index] ?? arbitrary.at(index, options.seed), form: index };
}

function* states({ operation, arbitrary, base }: Bench): Iterable<Case> {
  let form = 0;
  for (const value of memberStates(base.body?.value ?? null, envelopeOf(operation), options.seed)) {
    const request = withBody(base, value);
    form += 1;
    if (form > 20 * options.runs) return;
    if (isObject(value) && isHarmless(value) && arbitrary.accepts(request)) yield { request, form };
  }
}

function* family({ operation, arbitrary, base }: Bench, name: string): Iterable<Case> {
  const source = familiesOf(
    base.body?.value ?? null,
    envelopeOf(operation),
    isPromised(operation.id, null) !== undefined,
  ).find((each) => each.name === name);
  let form = 0;
  for (const { label, path, value } of source?.cases ?? []) {
    const request = withBody(base, value);
    form += 1;
    if (isHarmless(value) && arbitrary.accepts(request)) yield { request, form, label: `/${path.join('/')}: ${label}` };
  }
}

/** What is enabled may run by itself, and running costs. */
function isHarmless(value: Json): boolean {
  return session.allows('costly') || !isObject(value) || value['enabled'] !== true;
}

/** Whose members count. */
function envelopeOf(operation: Operation): readonly string[] {
  return operation.id === OPERATIONS.clue ? ENTITY_PATH : [];
}

function familyNames(operation: Operation): readonly string[] {
  const arbitrary = requestsOf(contract, operation);
  return arbitrary === undefined
    ? []
    : familiesOf(
        fullRequest(operation, arbitrary).body?.value ?? null,
        envelopeOf(operation),
        isPromised(operation.id, null) !== undefined,
      ).map((each) => each.name);
}
