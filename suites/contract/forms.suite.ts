import type { Exchange, Form, Operation } from '../../spec/index.ts';
import { isSuccess, readPointer } from '../../spec/index.ts';
import { differences, headOf, sameShape, shapeOf } from '../kit/compare.ts';
import { defineTest } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import type { RequestSpec, Violation, TestContext } from '../kit/context.ts';
import { sendValid, validRequest } from '../../domain/requests.ts';

const session = await openSession();

for (const operation of session.contract.operations) {
  const [first, ...others] = operation.forms;
  if (first === undefined || (operation.method !== 'GET' && !session.knowledge.guarantees('forms', operation)))
    continue;
  for (const other of others) {
    defineTest(
      session,
      {
        suite: 'contract/forms',
        title: `${first.name} and ${other.name} answer alike`,
        operation,
        checks: ['form-equivalence'],
        requirements: ['forms.both-exist', 'forms.equivalent'],
        effects: [operation.effect],
      },
      async (t) => {
        if (operation.method === 'GET') await readAlike(t, operation, first, other);
        else await writeAlike(t, operation, first, other);
      },
    );
  }
}

/** The same reading request, through one form, the other, and the first again: what differs between the first and the last is volatile. */
async function readAlike(t: TestContext, operation: Operation, first: Form, other: Form): Promise<void> {
  const ask = await validRequest(t, operation, first);
  await t.holds(async () => {
    const one = await t.send(operation, { ...ask, form: first, label: `through ${first.name}` });
    const two = await t.send(operation, { ...ask, form: other, label: `through ${other.name}` });
    const again = await t.send(operation, { ...ask, form: first, label: `through ${first.name} again` });
    if (headOf(one) !== headOf(again)) return undefined;
    const volatile = new Set(differences(one.response?.json, again.response?.json));
    if (headOf(one) !== headOf(two) && !(await staysSo(t, operation, ask, [one, two], volatile))) return undefined;
    if (headOf(one) !== headOf(two))
      return unlike(operation, other, {
        cause: causeOf(one, two),
        expected: headOf(one),
        received: headOf(two),
        exchanges: [one, two],
      });
    if (volatile.has(''))
      return session.knowledge.guarantees('shapes', operation) ? shapesUnlike(operation, other, one, two) : undefined;
    const [pointer] = steadyDifferences(one, two, volatile);
    if (pointer === undefined || !(await staysSo(t, operation, ask, [one, two], volatile))) return undefined;
    return unlike(operation, other, {
      cause: `another body at ${withoutIndexes(pointer)}`,
      expected: `at ${pointer}: ${valueAt(one, pointer)}, as ${first.name} answers`,
      received: `at ${pointer}: ${valueAt(two, pointer)}`,
      exchanges: [one, two],
    });
  });
}

function steadyDifferences(one: Exchange, two: Exchange, volatile: ReadonlySet<string>): readonly string[] {
  return differences(one.response?.json, two.response?.json).filter(
    (each) => ![...volatile].some((known) => each.startsWith(known)),
  );
}

/** How often each form must repeat its answer before a difference counts, since others may change what is read; and where nobody promised that it repeats any. */
const REPEATS = 2;
const UNPROMISED_REPEATS = 6;

/** True where each form goes on to answer as it did, so that it is the form that makes the difference and not chance. */
async function staysSo(
  t: TestContext,
  operation: Operation,
  ask: RequestSpec,
  seen: readonly Exchange[],
  volatile: ReadonlySet<string>,
): Promise<boolean> {
  for (
    let repeat = 0;
    repeat < (session.knowledge.guarantees('forms', operation) ? REPEATS : UNPROMISED_REPEATS);
    repeat += 1
  ) {
    for (const before of seen) {
      const form = operation.forms.find((each) => each.name === before.form);
      const again = await t.send(operation, {
        ...ask,
        ...(form === undefined ? {} : { form }),
        label: `through ${before.form} once more`,
      });
      if (headOf(again) !== headOf(before) || steadyDifferences(before, again, volatile).length > 0) return false;
    }
  }
  return true;
}

/** The same writing request through each form, each on something of its own. */
async function writeAlike(t: TestContext, operation: Operation, first: Form, other: Form): Promise<void> {
  const write = (form: Form): Promise<Exchange> =>
    sendValid(t, operation, form, (ask) => ({ ...ask, form, label: `through ${form.name}` }));
  const one = await write(first);
  const two = await write(other);
  if (headOf(one) !== headOf(two)) {
    t.report(
      unlike(operation, other, {
        cause: causeOf(one, two),
        expected: headOf(one),
        received: headOf(two),
        exchanges: [one, two],
      }),
    );
    return;
  }
  const violation = isSuccess(one.response?.status ?? 0) ? shapesUnlike(operation, other, one, two) : undefined;
  if (violation !== undefined) t.report(violation);
  await refusedAlike(t, operation, first, other);
}

/** A request that is refused is refused alike. */
async function refusedAlike(t: TestContext, operation: Operation, first: Form, other: Form): Promise<void> {
  if (operation.body === undefined) return;
  const { json: _json, ...rest } = await validRequest(t, operation, first, 'victim');
  const ask: RequestSpec = { ...rest, body: { type: 'application/json', content: '{"assay":' } };
  const one = await t.send(operation, { ...ask, form: first, label: `an unclosed object through ${first.name}` });
  const two = await t.send(operation, { ...ask, form: other, label: `an unclosed object through ${other.name}` });
  if (headOf(one) === headOf(two)) return;
  t.report(
    unlike(operation, other, {
      cause: `refusal: ${causeOf(one, two)}`,
      expected: headOf(one),
      received: headOf(two),
      exchanges: [one, two],
    }),
  );
}

function shapesUnlike(operation: Operation, other: Form, one: Exchange, two: Exchange): Violation | undefined {
  const [a, b] = [shapeOf(one.response?.json), shapeOf(two.response?.json)];
  if (sameShape(a, b)) return undefined;
  return unlike(operation, other, {
    cause: 'another shape of body',
    expected: JSON.stringify(a).slice(0, 300),
    received: JSON.stringify(b).slice(0, 300),
    exchanges: [one, two],
  });
}

function unlike(
  operation: Operation,
  other: Form,
  rest: Pick<Violation, 'cause' | 'expected' | 'received' | 'exchanges'>,
): Violation {
  return {
    check: 'form-equivalence',
    requirement: 'forms.equivalent',
    operation,
    form: other.name,
    message: `${operation.id} answers differently through ${other.name}: ${rest.cause}`,
    ...rest,
  };
}

function causeOf(one: Exchange, two: Exchange): string {
  return one.response?.status === two.response?.status
    ? 'another media type'
    : `status ${two.response?.status ?? 'none'} instead of ${one.response?.status ?? 'none'}`;
}

function withoutIndexes(pointer: string): string {
  return pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*');
}

function valueAt(exchange: Exchange, pointer: string): string {
  const value = readPointer(exchange.response?.json, pointer);
  return (JSON.stringify(value) ?? 'nothing').slice(0, 200);
}
