import { isUnsatisfiable, requestArbitrary } from '../../generators/index.ts';
import type { CaseArbitrary, GeneratedRequest } from '../../generators/index.ts';
import type { Operation } from '../../spec/index.ts';
import { defineTest } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import type { TestContext } from '../kit/context.ts';
import { saveOrder } from '../../domain/builtin/processing-order.ts';
import { tryServed } from './attempts/served.ts';
import type { Stage } from './attempts/stage.ts';
import { withBody } from './hunt/case.ts';
import type { Case } from './hunt/case.ts';
import { hunt } from './hunt/hunt.ts';
import { domainGenerator } from '../../domain/builtin/bodies/domain-body.ts';
import { freshPolicy } from '../../domain/builtin/make.ts';
import { OPERATIONS } from '../../domain/builtin/operations.ts';

const session = await openSession();
const { contract, options } = session;
const operation = contract.operation(OPERATIONS.setOrder);

/** Stand in cases for ids of policies that the run makes. */
const IDS = Array.from(
  { length: 12 },
  (_, index) => `00000000-0000-4000-8000-0000000b${String(index).padStart(2, '0')}de`,
);

if (operation !== undefined && session.knowledge.guarantees('storage', operation)) {
  defineTest(
    session,
    {
      suite: 'properties/orders',
      title: 'any order of policies is set or refused',
      operation,
      alone: true,
      effects: ['read', 'reversible', operation.effect],
      checks: ['no-server-error', 'answered', 'status-documented'],
      requirements: ['errors.no-server-error'],
      cost: options.runs,
    },
    (t) => orders(t, operation),
  );
}

async function orders(t: TestContext, setting: Operation): Promise<void> {
  await saveOrder(t);
  const policies = await Promise.all(IDS.map(() => freshPolicy(t, 'ordered')));
  const stage: Stage = { path: {}, ids: Object.fromEntries(policies.map(({ id }, index) => [IDS[index] ?? '', id])) };
  const body = domainGenerator(contract, setting.id, {
    policies: IDS.map((id, index) => ({ id, name: `policy ${index}` })),
  });
  const arbitrary = requestArbitrary(contract, setting, body === undefined ? {} : { body });
  if (isUnsatisfiable(arbitrary)) t.skip('no order can be made from the description');
  await hunt(t, {
    operation: setting,
    arbitrary,
    cases: generated(arbitrary),
    attempt: async (value) => (await tryServed(t, setting, value, stage)).flaws,
    inFlight: 2,
  });
}

function* generated(arbitrary: CaseArbitrary<GeneratedRequest>): Iterable<Case> {
  yield {
    request: withBody(
      arbitrary.simplest,
      IDS.map((id, order) => ({ id: id.toUpperCase(), name: `policy ${order}`, order })),
    ),
    form: 0,
    label: 'ids in capitals',
  };
  const sweep = arbitrary.sweep(options.seed);
  for (let form = 0; ; form += 1) yield { request: sweep[form] ?? arbitrary.at(form, options.seed), form };
}
