import { isServed, isSuccess, readPointer } from '../../spec/index.ts';
import type { Exchange, Form, Json, Operation, Violation } from '../../spec/index.ts';
import { keyOf, keysIn } from '../../domain/items.ts';
import { requestToRefuse, sendValid, validRequest } from '../../domain/requests.ts';
import { asTexts } from '../kit/as-texts.ts';
import { apartFrom, differencesBetween, statusAndType, sameShape, shapeOf } from '../kit/compare.ts';
import type { RequestSpec, TestContext } from '../kit/context.ts';
import { defineTest } from '../kit/define-test.ts';
import { mayBeFull } from '../kit/guaranteed.ts';
import { openSession } from '../kit/session.ts';
import { findOtherStatus, findStoredOtherwise } from './same-in-both-forms.ts';
import type { Written } from './same-in-both-forms.ts';
import { statusOf } from './violations.ts';

const session = await openSession();

/** The two forms of a path that are compared. */
interface Forms {
  readonly first: Form;
  readonly other: Form;
}

for (const operation of session.contract.operations) {
  const [first, ...others] = operation.forms;
  const isRead = operation.method === 'GET';
  if (first === undefined || (!isRead && !session.knowledge.guarantees('forms', operation))) continue;
  for (const other of others)
    defineTest(session, {
      suite: 'contract/forms',
      title: `${first.name} and ${other.name} are equivalent`,
      operation,
      checks: ['form-equivalence'],
      requirements: ['forms.both-exist', 'forms.equivalent'],
      effects: [operation.effect],
      // An order names all policies: it is refused while other tests create or delete some.
      isolated: operation.effect === 'global',
      run: async (t) => {
        if (!isRead) return compareWrites(t, operation, { first, other });
        await compareReads(t, operation, { first, other });
        if (!session.knowledge.guarantees('forms', operation)) return;
        const request = await validRequest(t, operation);
        await t.holds((t) => findOtherStatus(t, operation, request, [first, other]));
      },
    });
}

/** Compares the same read through both forms; members that differ when the read is repeated are ignored. */
async function compareReads(t: TestContext, operation: Operation, { first, other }: Forms): Promise<void> {
  const request = { ...(await validRequest(t, operation, first)), valid: true };
  let differing: readonly string[] | undefined;
  await t.holds(async (t) => {
    const one = await t.send(operation, { ...request, form: first, label: `through ${first.name}` });
    const two = await t.send(operation, { ...request, form: other, label: `through ${other.name}` });
    const again = await t.send(operation, { ...request, form: first, label: `through ${first.name} again` });
    if (statusAndType(one) !== statusAndType(again)) return undefined;
    const volatile = differencesBetween(session.contract, one, again);
    const isReproducible = (): Promise<boolean> => repeats(t, operation, request, { responses: [one, two], volatile });
    if (statusAndType(one) !== statusAndType(two))
      return (await isReproducible()) ? statusOrTypeDiffers(operation, other, [one, two]) : undefined;
    // Errors may hold their path, as in the member `instance` of a problem (RFC 9457).
    if (!isSuccess(statusOf(one))) return undefined;
    if (volatile.includes('')) {
      const twoAgain = await t.send(operation, { ...request, form: other, label: `through ${other.name} again` });
      const violation = orderDiffers(operation, other, [one, again], [two, twoAgain]);
      const judgesShapes = t.knowledge.guarantees('shapes', operation);
      return violation ?? (judgesShapes ? shapesDiffer(operation, other, [one, two]) : undefined);
    }
    const [pointer] = stableDifferences(one, two, volatile);
    if (pointer === undefined || !(await isReproducible())) return undefined;
    // A cache may keep a list through one form for a while, and repeat it: items that were new then are in both lists later.
    const before = differing;
    differing = onlyInOne(one, two).filter((each) => before === undefined || before.includes(each));
    if (before !== undefined && before.length > 0 && differing.length === 0) return undefined;
    const [expected, received] = asTexts(
      readPointer(one.response?.json, pointer),
      readPointer(two.response?.json, pointer),
    );
    return differ(operation, other, [one, two], {
      code: 'form-equivalence/body',
      subject: pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*'),
      what: pointer === '' ? 'another value' : `another value at ${pointer}`,
      expected,
      received,
    });
  });
}

/** The items that only one of two lists shows, each with the form that shows it. */
function onlyInOne(...pair: Pair): readonly string[] {
  const [one = [], two = []] = pair.map((each) => keysIn(each));
  const without = (keys: readonly string[], others: readonly string[], { form }: Exchange): readonly string[] =>
    keys.filter((key) => !others.includes(key)).map((key) => `${form} ${key}`);
  return [...without(one, two, pair[0]), ...without(two, one, pair[1])];
}

function stableDifferences(one: Exchange, two: Exchange, volatile: readonly string[]): readonly string[] {
  const pointers = apartFrom(differencesBetween(session.contract, one, two), volatile);
  return pointers.filter((pointer) => !areLinks(one, two, pointer));
}

/** True for links to the same thing, each in the form of its own request, such as `/api/v1/aiagent` and `/api/aiagent`. */
function areLinks(one: Exchange, two: Exchange, pointer: string): boolean {
  const [link, other] = [one, two].map(({ form, response }) => {
    const value = readPointer(response?.json, pointer);
    return typeof value === 'string' ? value.replace(`${form}/`, '/') : undefined;
  });
  return link !== undefined && link === other;
}

/** How often each form must repeat its response before a difference counts, since others may change what is read. */
const REPEATS = { guaranteed: 2, inferred: 6 };

/** True where each form repeats its response, so that the difference comes from the form. */
async function repeats(
  t: TestContext,
  operation: Operation,
  request: RequestSpec,
  { responses, volatile }: { readonly responses: readonly Exchange[]; readonly volatile: readonly string[] },
): Promise<boolean> {
  const count = t.knowledge.guarantees('forms', operation) ? REPEATS.guaranteed : REPEATS.inferred;
  for (let repeat = 0; repeat < count; repeat += 1)
    for (const before of responses) {
      const form = operation.forms.find((each) => each.name === before.form);
      const label = `through ${before.form} once more`;
      const again = await t.send(operation, { ...request, ...(form === undefined ? {} : { form }), label });
      if (statusAndType(again) !== statusAndType(before) || stableDifferences(before, again, volatile).length > 0)
        return false;
    }
  return true;
}

/** Compares the same write through both forms, each on its own item. */
async function compareWrites(t: TestContext, operation: Operation, { first, other }: Forms): Promise<void> {
  const write = async (form: Form): Promise<Written> => {
    let path: RequestSpec['path'];
    const exchange = await sendValid(t, operation, form, (request) => {
      path = request.path;
      return { ...request, form, label: `through ${form.name}` };
    });
    return { exchange, path };
  };
  const writes = [await write(first), await write(other)] as const;
  const pair = [writes[0].exchange, writes[1].exchange] as const;
  const [one, two] = pair;
  if (pair.some((each) => statusOf(each) === 409)) t.skip('the request conflicts with the state of the resource (409)');
  if (statusAndType(one) !== statusAndType(two)) {
    t.report(statusOrTypeDiffers(operation, other, pair));
    return;
  }
  const violation = isSuccess(statusOf(one)) ? shapesDiffer(operation, other, pair) : undefined;
  if (violation !== undefined) t.report(violation);
  if (pair.every(isServed)) await t.holds((t) => findStoredOtherwise(t, operation, writes));
  if (operation.body !== undefined) await compareRefusals(t, operation, { first, other });
}

async function compareRefusals(t: TestContext, operation: Operation, { first, other }: Forms): Promise<void> {
  const { json: _json, ...request } = await requestToRefuse(t, operation, first);
  const body = { type: 'application/json', content: '{"assay":' };
  // Once more where they differ: other tests use the same item, and a request under way may cause a conflict.
  await t.holds(async (t) => {
    const refuse = (form: Form): Promise<Exchange> =>
      t.send(operation, { ...request, body, form, valid: false, label: `malformed JSON through ${form.name}` });
    const pair = [await refuse(first), await refuse(other)] as const;
    // A limit to the number of items may be looked at first.
    const isOfLimit = pair.some((each) => mayBeFull(session, operation, each));
    if (isOfLimit || statusAndType(pair[0]) === statusAndType(pair[1])) return undefined;
    return statusOrTypeDiffers(operation, other, pair, 'form-equivalence/refusal');
  });
}

type Pair = readonly [Exchange, Exchange];

function statusOrTypeDiffers(
  operation: Operation,
  other: Form,
  pair: Pair,
  refusal?: 'form-equivalence/refusal',
): Violation {
  const [one, two] = pair;
  const isStatus = statusOf(one) !== statusOf(two);
  return differ(operation, other, pair, {
    code: refusal ?? (isStatus ? 'form-equivalence/status' : 'form-equivalence/media-type'),
    subject: isStatus ? `${statusOf(two)} not ${statusOf(one)}` : (two.response?.mediaType ?? 'none'),
    what: refusal === undefined ? statusAndType(two) : `${statusAndType(two)} to malformed JSON`,
    expected: statusAndType(one),
    received: statusAndType(two),
  });
}

/** Items that all reads of a changing list show must be in one order. Each form is read twice, and must keep its own. */
function orderDiffers(operation: Operation, other: Form, first: Pair, second: Pair): Violation | undefined {
  const lists = [...first, ...second].map((each) => keysIn(each) ?? []);
  const common = lists.reduce((some, keys) => some.filter((key) => keys.includes(key)));
  const [one, again, two, twoAgain] = lists.map((keys) => keys.filter((key) => common.includes(key)).join(' '));
  if (one !== again || two !== twoAgain || one === two) return undefined;
  return differ(operation, other, [first[0], second[0]], {
    code: 'form-equivalence/body',
    subject: 'order',
    what: 'the same items are in another order',
    expected: one?.slice(0, 200) ?? '',
    received: two?.slice(0, 200) ?? '',
  });
}

/** Of lists, an item that both show: others may have added items, which have other members. */
function shapesDiffer(operation: Operation, other: Form, pair: Pair): Violation | undefined {
  const [one, two] = pair.map(({ response }) => response?.json);
  const areLists = Array.isArray(one) && Array.isArray(two);
  const common = keysIn(pair[0])?.find((key) => keysIn(pair[1])?.includes(key));
  if (areLists && common === undefined) return undefined;
  const itemOf = (list: readonly Json[]): Json | undefined => list.find((each) => keyOf(each) === common);
  const [a, b] = areLists ? [shapeOf(itemOf(one)), shapeOf(itemOf(two))] : [shapeOf(one), shapeOf(two)];
  if (sameShape(a, b)) return undefined;
  return differ(operation, other, pair, {
    code: 'form-equivalence/shape',
    what: 'the body has other members or types',
    expected: JSON.stringify(a).slice(0, 300),
    received: JSON.stringify(b).slice(0, 300),
  });
}

function differ(
  operation: Operation,
  { name }: Form,
  [one, two]: Pair,
  { what, ...rest }: Pick<Violation, 'code' | 'subject' | 'expected' | 'received'> & { readonly what: string },
): Violation {
  return {
    ...rest,
    requirement: 'forms.equivalent',
    operation,
    form: name,
    message: `${operation.id} answers differently through ${name}: ${what}`,
    expected: `${rest.expected}, as through ${one.form}`,
    exchanges: [one, two],
  };
}
