import { randomUUID } from 'node:crypto';
import { isObject, isServed, parsedJson } from '../../spec/index.ts';
import type { Exchange, Form, Json, Operation } from '../../spec/index.ts';
import { createdId } from '../../domain/create.ts';
import { isUuid } from '../../domain/items.ts';
import { resourceOf } from '../../domain/resources.ts';
import type { Resource } from '../../domain/resources.ts';
import { differences } from '../kit/compare.ts';
import type { Evaluation, RequestSpec, TestContext } from '../kit/context.ts';
import { isJudgedElsewhere, statusOf } from './violations.ts';

interface OtherId {
  readonly from: (id: string) => string;
  /** True where the request must be refused. */
  readonly isWrong: boolean;
}

/** Ids in place of the one of an item, by what they are. */
const OTHER_IDS: Readonly<Record<string, OtherId>> = {
  'a malformed id': { from: () => 'not-a-uuid', isWrong: true },
  'an unknown id': { from: () => randomUUID(), isWrong: true },
  'an id in upper case': { from: (id) => id.toUpperCase(), isWrong: false },
};

/** Compares the statuses of reads with other ids through two forms, each request sent twice: they must be the same. */
export async function findOtherStatus(
  t: TestContext,
  operation: Operation,
  request: RequestSpec,
  [first, other]: readonly [Form, Form],
): Evaluation {
  const [name, id] = Object.entries(request.path ?? {}).findLast(([, value]) => isUuid(value)) ?? [];
  if (name === undefined || typeof id !== 'string') return undefined;
  for (const [what, { from, isWrong }] of Object.entries(OTHER_IDS)) {
    const sent = { ...request, path: { ...request.path, [name]: from(id) }, ...(isWrong ? { valid: false } : {}) };
    const read = (form: Form): Promise<Exchange> =>
      t.send(operation, { ...sent, form, label: `${what} through ${form.name}` });
    const pairs = [[await read(first), await read(other)] as const, [await read(first), await read(other)] as const];
    const statuses = pairs.map((pair) => pair.map(statusOf).join(' '));
    const [[one, two] = []] = pairs;
    if (one === undefined || two === undefined || statuses[0] !== statuses[1]) continue;
    const [expected, received] = [statusOf(one), statusOf(two)];
    if (expected === received || [expected, received].some(isJudgedElsewhere)) continue;
    return {
      code: isWrong ? 'form-equivalence/refusal' : 'form-equivalence/status',
      subject: `${what}: ${received} not ${expected}`,
      requirement: 'forms.equivalent',
      operation,
      form: other.name,
      message: `${operation.id} answers ${what} differently through ${other.name}: status ${received}`,
      expected: `status ${expected}, as through ${first.name}`,
      received: `status ${received}`,
      exchanges: [one, two],
    };
  }
  return undefined;
}

/** The id of the item that a write created or replaced. */
async function writtenId(t: TestContext, resource: Resource, { exchange, path }: Written): Promise<string | undefined> {
  const id = path?.[resource.idName];
  return typeof id === 'string' ? id : createdId(t, resource, exchange);
}

/** A write through one form. */
export interface Written {
  readonly exchange: Exchange;
  readonly path: RequestSpec['path'];
}

/** A member that both requests sent with the same value and that only one of the items shows as it was sent. */
export async function findStoredOtherwise(
  t: TestContext,
  operation: Operation,
  writes: readonly [Written, Written],
): Evaluation {
  const resource = resourceOf(t.knowledge.resources, operation);
  const read = resource?.read;
  if (read === undefined || (operation !== resource?.create && operation !== resource?.replace)) return undefined;
  const [one, two] = [await writtenId(t, resource, writes[0]), await writtenId(t, resource, writes[1])];
  if (one === undefined || two === undefined || one === two) return undefined;
  const show = (id: string): Promise<Exchange> => t.send(read, { path: { [resource.idName]: id }, label: 'read it' });
  const shown = [await show(one), await show(two)] as const;
  if (!shown.every(isServed)) return undefined;
  const sent = writes.map(({ exchange }) => parsedJson(exchange.request.body ?? ''));
  const items = shown.map(({ response }) => response?.json);
  const differing = differingMember(sent, items);
  if (differing === undefined) return undefined;
  const { name, isRightInFirst, expected, received } = differing;
  const [right, wrong] = isRightInFirst ? [writes[0], writes[1]] : [writes[1], writes[0]];
  const through = right.exchange.form;
  return {
    code: 'form-equivalence/stored',
    subject: name,
    requirement: 'forms.equivalent',
    operation,
    form: wrong.exchange.form,
    message: `${operation.id} stores ${name} as it was sent through ${through}, but not through ${wrong.exchange.form}`,
    expected: `${expected}, as through ${through}`,
    received,
    exchanges: [right.exchange, wrong.exchange, ...(isRightInFirst ? shown : shown.toReversed())],
  };
}

interface Differing {
  readonly name: string;
  /** True where the first item shows it as it was sent. */
  readonly isRightInFirst: boolean;
  readonly expected: string;
  readonly received: string;
}

/** The first member that both requests sent with the same value and only one of the items shows as it was sent. */
function differingMember(
  [sent, sentToo]: readonly (Json | undefined)[],
  [shown, shownToo]: readonly (Json | undefined)[],
): Differing | undefined {
  if (!isObject(sent) || !isObject(sentToo) || !isObject(shown) || !isObject(shownToo)) return undefined;
  const isSame = (a: Json | undefined, b: Json | undefined): boolean => differences(a, b).length === 0;
  const name = Object.keys(sent).find(
    (each) =>
      isSame(sent[each], sentToo[each]) && isSame(sent[each], shown[each]) !== isSame(sent[each], shownToo[each]),
  );
  if (name === undefined) return undefined;
  const isRightInFirst = isSame(sent[name], shown[name]);
  const text = (value: Json | undefined): string => JSON.stringify(value ?? null).slice(0, 200);
  return {
    name,
    isRightInFirst,
    expected: text(sent[name]),
    received: text((isRightInFirst ? shownToo : shown)[name]),
  };
}
