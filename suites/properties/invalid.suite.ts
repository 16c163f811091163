import type { CheckName, Operation } from '../../spec/index.ts';
import { isRead, validRequest } from '../../domain/requests.ts';
import { resourceOf, resourcesOf } from '../../domain/resources.ts';
import type { TestContext } from '../kit/context.ts';
import { defineTest } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import { fixtureFor } from './attempts/fixture.ts';
import type { Fixture } from './attempts/fixture.ts';
import { observeAccepted, tryInvalid } from './attempts/refused.ts';
import { sendTwice } from './attempts/served.ts';
import { makeSlots } from './attempts/slot.ts';
import type { Attempt, Slot } from './attempts/slot.ts';
import { refusedCreations } from './attempts/unrequested-items.ts';
import type { Case } from './case.ts';
import { constraintOf, invalidCases, invalidShrinker, validCounterpart } from './cases/invalid.ts';
import { generatedRequests, sampleRequest } from './cases/plain.ts';
import { runProperty } from './run-property.ts';
import { caseKey } from './violation.ts';
import type { CaseViolation, CaseViolations } from './violation.ts';

const session = await openSession();
const { contract, options } = session;
const resources = resourcesOf(contract);

type InvalidFixture = Pick<Fixture, 'operation' | 'arbitrary' | 'sample' | 'slots'>;

for (const operation of contract.operations) {
  if (operation.parameters.length === 0 && operation.body === undefined) continue;
  const resource = resourceOf(resources, operation);
  const isStored =
    operation.body !== undefined &&
    resource !== undefined &&
    (operation === resource.replace || operation === resource.patch);
  const checks: readonly CheckName[] = isStored ? ['refused-changes-nothing'] : [];
  defineTest(session, {
    suite: 'properties/invalid',
    title: 'invalid requests cause no server error and change nothing',
    operation,
    effects: ['read', operation.effect],
    checks: ['no-server-error', 'answered', ...checks, 'invalid-refused'],
    cost: operation.body === undefined ? 10 : (isStored ? 4 : 1) * options.runs,
    requirements: [
      'errors.no-server-error',
      'errors.validation',
      ...(isStored ? ['errors.refused-changes-nothing'] : []),
    ],
    run: (t) => invalidRequests(t, operation),
  });
}

for (const resource of resources) {
  const { create, list } = resource;
  if (list === undefined || create.body === undefined) continue;
  defineTest(session, {
    suite: 'properties/invalid',
    title: 'refused creations store nothing',
    operation: create,
    effects: ['read', create.effect],
    isolated: true,
    checks: ['refused-changes-nothing'],
    requirements: ['errors.validation', 'errors.refused-changes-nothing'],
    cost: 60,
    run: async (t) => {
      const { arbitrary, slots } = await fixtureFor(t, create);
      const cases = invalidCases(contract, create, arbitrary);
      await refusedCreations(t, resource, cases, slots.all[0] ?? { path: {} });
    },
  });
}

async function invalidRequests(t: TestContext, operation: Operation): Promise<void> {
  const fixture = await invalidFixtureFor(t, operation);
  if (fixture === undefined) t.skip(`no request of ${operation.id} can be generated from the description`);
  const canRepeat = operation.body !== undefined && resourceOf(resources, operation) === undefined;
  await runProperty(t, {
    operation,
    examples: invalidCases(contract, operation, fixture.arbitrary),
    shrinker: invalidShrinker(contract, operation, fixture.arbitrary),
    ...(canRepeat ? { repeat: () => sendTwice(t, fixture) } : {}),
    test: (value, patient) =>
      fixture.slots.use(async (slot) => {
        const own = withoutTestedParameters(slot, value, fixture);
        return withConstraint(operation, value, await test(t, fixture, { value, slot: own, patient }));
      }),
  });
  observeAccepted(t, operation);
}

/** Violations that the valid counterpart of the request does not show. */
async function test(t: TestContext, { operation, arbitrary }: InvalidFixture, attempt: Attempt): CaseViolations {
  const { value } = attempt;
  const resource = resourceOf(resources, operation);
  const violations = await tryInvalid(t, operation, resource, attempt);
  if (violations.length === 0 || value.rawBody !== undefined) return violations;
  const request = validCounterpart(contract, operation, value.request, arbitrary.simplest);
  if (request === undefined) return violations;
  const valid = await tryInvalid(t, operation, resource, { ...attempt, value: { ...value, request }, patient: false });
  // The valid request is accepted as it should be, which says nothing about the invalid one.
  const known = new Set(valid.filter(({ code }) => code !== 'invalid-refused/accepted').map(caseKey));
  return violations.filter((each) => !known.has(caseKey(each)));
}

/** Names the constraint in violations about an accepted request. */
function withConstraint(
  operation: Operation,
  { rawBody, request }: Case,
  violations: readonly CaseViolation[],
): readonly CaseViolation[] {
  const constraint =
    rawBody === undefined ? (constraintOf(contract, operation, request.body?.value) ?? 'parameter') : 'malformed-body';
  return violations.map((each) => (each.code === 'invalid-refused/accepted' ? { ...each, subject: constraint } : each));
}

/** The slot without values for the path parameters that the case sets. */
function withoutTestedParameters(
  slot: Slot,
  { request: { path } }: Case,
  { arbitrary }: Pick<Fixture, 'arbitrary'>,
): Slot {
  const own = Object.entries(slot.path).filter(
    ([name]) => path[name] === undefined || path[name] === arbitrary.simplest.path[name],
  );
  return { ...slot, path: Object.fromEntries(own) };
}

/** The fixture of an operation; without a body, only values for the path are needed. */
async function invalidFixtureFor(t: TestContext, operation: Operation): Promise<InvalidFixture | undefined> {
  if (operation.body !== undefined && operation.effect !== 'global') return fixtureFor(t, operation);
  const arbitrary = generatedRequests(contract, operation);
  if (arbitrary === undefined) return undefined;
  const { path } = await validRequest(t, operation, undefined, isRead(operation) ? 'shared' : 'victim');
  const sample = sampleRequest(operation, arbitrary);
  return { operation, arbitrary, sample, slots: makeSlots(Array.from({ length: 32 }, () => ({ path }))) };
}
