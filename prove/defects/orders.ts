import type { Defect } from '../defect.ts';
import { hit } from '../proxy/call.ts';
import { at, listAt, wait } from '../proxy/handler.ts';
import { asList, asObject, idOf } from '../proxy/json.ts';
import { empty, parsed, relisted, succeeded } from '../proxy/reply.ts';
import { orderOf, POLICIES_PATH, setOrderTo } from './items.ts';
import type { Call, Make } from '../proxy/message.ts';
import type { CheckName } from '../../spec/index.ts';
import { AS_TEXT_JSON, fails, defect, str, warningDefect, where } from './kit.ts';
import { ACTIVATE, CREATE, LIST, ORDER, SET, UPDATE } from './operations.ts';

const WHOLE = 'the processing order is set as a whole and read back (section 3)';

const ORDERED: readonly CheckName[] = ['processing-order', 'model-conformance'];

const ids = (call: Call): readonly string[] => asList(call.json).map((entry) => str(asObject(entry)['id']));

/** The list lacks the policies that were created while the order was set. */
const unlistsMeanwhile: Make = () => {
  let setting = 0;
  const unlisted = new Set<string>();
  return async (call, next) => {
    if (hit(call, SET) && call.role === 'full') {
      setting += 1;
      return wait(5)
        .then(() => next())
        .finally(() => (setting -= 1));
    }
    const reply = await next();
    if (!succeeded(reply)) return reply;
    if (hit(call, CREATE) && setting > 0) unlisted.add(str(parsed(reply)).toLowerCase());
    return hit(call, LIST) ? relisted(reply, (list) => list.filter((each) => !unlisted.has(idOf(each)))) : reply;
  };
};

export const ORDERS: readonly Defect[] = [
  fails('order-upper-case-id-500', [SET], (_, call) => ids(call).some((id) => /[A-F]/.test(id))),
  fails('order-entry-without-name-500', [SET], (_, call) =>
    asList(call.json).some((entry) => (asObject(entry)['name'] ?? null) === null),
  ),
  fails('order-name-proto-500', [SET], (_, call) =>
    asList(call.json).some((entry) => asObject(entry)['name'] === '__proto__'),
  ),
  fails('order-member-proto-500', [SET], (_, call) =>
    asList(call.json).some((entry) => Object.hasOwn(asObject(entry), '__proto__')),
  ),
  defect('order-with-unknown-id-set-in-part', WHOLE, [SET, ORDER], [...ORDERED, 'refused-changes-nothing']).by(
    at(where([SET])).thoughRefused(async (call, context) => {
      const present = new Set((await orderOf(context)).map(idOf));
      const known = [...new Set(ids(call))].filter((id) => present.has(id.toLowerCase()));
      const entries = known.map((id) => ({ id, name: 'x' }));
      if (entries.length > 0) await setOrderTo(context, entries);
    }),
  ),
  defect('refused-order-moves-first', WHOLE, [SET, ORDER], ['refused-changes-nothing']).by(
    at(where([SET])).thoughRefused(async (call, context) => {
      const [wanted] = ids(call);
      const all = await orderOf(context);
      const first = all.find((entry) => idOf(entry) === wanted?.toLowerCase());
      if (first !== undefined) await setOrderTo(context, [first, ...all.filter((entry) => entry !== first)]);
    }),
  ),
  defect('order-shows-twelve', WHOLE, [ORDER, SET], ORDERED).by(at(ORDER).relists((list) => list.slice(0, 12))),
  defect('order-shows-a-hundred', WHOLE, [ORDER, SET], ORDERED).by(at(ORDER).relists((list) => list.slice(0, 100))),
  defect('order-lacks-policies-without-a-name', WHOLE, [ORDER, SET, UPDATE], ORDERED).by(
    at(ORDER).relists((list) => list.filter((entry) => str(asObject(entry)['name']) !== '')),
  ),
  defect('order-shows-one-policy-of-each-name', WHOLE, [ORDER, SET, UPDATE], ORDERED).by(
    at(ORDER).relists((list) => {
      const names = list.map((entry) => asObject(entry)['name']);
      return list.filter((_, at) => names.indexOf(names[at]) === at);
    }),
  ),
  defect('order-as-text-json-ignored', AS_TEXT_JSON, [SET, ORDER], ORDERED).by(
    at(where([SET], (_, { headers }) => str(headers['content-type']).startsWith('text/json'))).handles(() => empty()),
  ),
  defect('order-with-ids-in-capitals-ignored', WHOLE, [SET, ORDER], ORDERED).by(
    at(where([SET], (_, call) => ids(call).some((id) => /[A-F]/.test(id)))).handles(() => empty()),
  ),
  defect(
    'policies-created-while-order-is-set-unlisted',
    'the list holds the policies (section 4)',
    [SET, LIST],
    ['overlap'],
  ).by(unlistsMeanwhile),
  // A warning: the members of the entries are published.
  warningDefect(
    'order-shows-0-in-every-entry',
    'the entries of the processing order have an order (platform.md)',
    [ORDER, SET],
    ['published-behaviour'],
  ).by(at(ORDER).relists((list) => list.map((entry) => ({ ...asObject(entry), order: 0 })))),
  defect('order-shows-active-first', WHOLE, [ORDER, SET, ACTIVATE], ORDERED).by(
    at(ORDER).relists(async (list, _, context) => {
      const active = new Set((await listAt(context, `${POLICIES_PATH}?take=1000&filterActive=true`)).map(idOf));
      const rank = (entry: unknown): number => (active.has(idOf(entry)) ? 0 : 1);
      return list.toSorted((a, b) => rank(a) - rank(b));
    }),
  ),
];
