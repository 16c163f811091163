import { isObject } from '../../spec/index.ts';
import type { CheckName, Json, Operation } from '../../spec/index.ts';
import { ENTITY_PATH } from '../../domain/builtin/bodies/plain-clue.ts';
import { OPERATIONS } from '../../domain/builtin/operations.ts';
import { resourcesOf } from '../../domain/resources.ts';
import type { TestContext } from '../kit/context.ts';
import { defineTest, mayDefine } from '../kit/define-test.ts';
import type { TestDefinition } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import { fixtureFor } from './attempts/fixture.ts';
import type { Fixture } from './attempts/fixture.ts';
import { testInParts } from './attempts/in-parts.ts';
import { sendTwice } from './attempts/served.ts';
import type { CaseOutcome } from './attempts/slot.ts';
import { withBodyValue } from './case.ts';
import type { Case } from './case.ts';
import { familiesOf } from './cases/families.ts';
import type { CaseFamily } from './cases/families.ts';
import { memberStates } from './cases/parts.ts';
import { fullRequest, isGuaranteedBody, generatedRequests } from './cases/plain.ts';
import { towardsPlain } from './cases/shrinkers.ts';
import { runProperty } from './run-property.ts';
import type { Property } from './run-property.ts';
import { EXCHANGE_CHECKS } from './violation.ts';

const session = await openSession();
const { contract, options } = session;

for (const operation of contract.operations) {
  if (operation.body === undefined || operation.effect === 'global' || operation.method === 'PATCH') continue;
  if (!mayDefine(session, 'properties/valid-bodies', operation)) continue;
  const stored = resourcesOf(contract).find((each) => each.create === operation || each.replace === operation);
  const base: Omit<TestDefinition, 'title' | 'run'> = {
    suite: 'properties/valid-bodies',
    operation,
    checks: [...EXCHANGE_CHECKS, ...storageChecks(operation, stored?.create)],
    requirements: ['errors.no-server-error'],
    effects: ['reversible', operation.effect],
    cost: options.runs * (stored === undefined ? 1 : operation.method === 'PUT' ? 6 : 4),
  };
  const isServed = session.knowledge.guarantees('valid-requests-succeed', operation);
  const arbitrary = isServed ? generatedRequests(contract, operation) : undefined;
  if (arbitrary !== undefined) {
    for (const { name } of familiesFor({ operation, arbitrary, base: fullRequest(operation, arbitrary) }))
      defineTest(session, {
        ...base,
        title: `accepts unusual values: ${name}`,
        run: (t) =>
          run(t, operation, (fixture) => ({ examples: familyCases(fixture, name), casesPerRun: CASES_PER_RUN })),
      });
    defineTest(session, {
      ...base,
      title: 'accepts bodies with members left out, null or empty',
      run: (t) => run(t, operation, combinations),
    });
  }
  defineTest(session, {
    ...base,
    title: 'generated bodies are accepted or refused, and stored as sent',
    run: (t) => run(t, operation, generated),
  });
}

function storageChecks(operation: Operation, create: Operation | undefined): readonly CheckName[] {
  if (create === undefined) return operation.id === OPERATIONS.raw ? ['raw-accepted'] : [];
  return [operation === create ? 'created-reads-back' : 'updated-reads-back'];
}

/** Cases with unusual values for each of `--runs`: enough for the characters, lengths and shapes of each member. */
const CASES_PER_RUN = 2;

type Cases = Pick<Property, 'examples' | 'draws' | 'casesPerRun'>;

async function run(t: TestContext, operation: Operation, casesOf: (fixture: Fixture) => Cases): Promise<void> {
  const fixture = await fixtureFor(t, operation);
  const cases = casesOf(fixture);
  await runProperty(t, {
    operation,
    ...cases,
    shrinker: fixture.arbitrary,
    notReturned: fixture.notReturned,
    test: async (value, patient) => {
      const test = (each: Case): Promise<CaseOutcome> => fixture.test(t, each, patient);
      return cases.casesPerRun === undefined
        ? (await test(value)).violations
        : testInParts(contract, fixture, test, value);
    },
    ...(isGuaranteedBody(operation.id, null) === undefined ? {} : { servedShrinker: towardsPlain(fixture.base) }),
    ...(hasInvisibleEffect(operation) ? { repeat: () => sendTwice(t, fixture) } : {}),
  });
}

/** True for a POST whose effect cannot be read back or removed. */
function hasInvisibleEffect(operation: Operation): boolean {
  return operation.method === 'POST' && !resourcesOf(contract).some((each) => each.create === operation);
}

function generated({ arbitrary, base }: Fixture): Cases {
  const sweep = arbitrary.sweep(options.seed).map((request, form): Case => ({ request, form }));
  return { examples: [{ request: base, form: 0 }, ...sweep], draws: arbitrary };
}

function combinations({ operation, arbitrary, base }: Fixture): Cases {
  const isValid = (value: Json): boolean =>
    isObject(value) && causesNoCost(value) && arbitrary.accepts(withBodyValue(base, value));
  const bodies = memberStates(base.body?.value ?? null, envelopeOf(operation), isValid);
  return { examples: [], draws: bodies.map((value) => withBodyValue(base, value)) };
}

function* familyCases(fixture: Plain, name: string): Iterable<Case> {
  const family = familiesFor(fixture).find((each) => each.name === name);
  let form = 0;
  for (const { label, path, value } of family?.cases() ?? []) {
    form += 1;
    yield {
      request: withBodyValue(fixture.base, value),
      form,
      label: path.length === 0 ? label : `/${path.join('/')}: ${label}`,
    };
  }
}

type Plain = Pick<Fixture, 'operation' | 'arbitrary' | 'base'>;

function familiesFor({ operation, arbitrary, base }: Plain): readonly CaseFamily[] {
  return familiesOf(base.body?.value ?? null, {
    envelope: envelopeOf(operation),
    isOpen: isGuaranteedBody(operation.id, null) !== undefined,
    isValid: (body) => causesNoCost(body) && arbitrary.accepts(withBodyValue(base, body)),
  });
}

/** True for a body after which no job runs by itself, where runs are not allowed: they cost money. */
function causesNoCost(value: Json): boolean {
  return session.allows('costly') || !isObject(value) || value['enabled'] !== true;
}

/** The object whose members count. */
function envelopeOf(operation: Operation): readonly string[] {
  return operation.id === OPERATIONS.clue ? ENTITY_PATH : [];
}
