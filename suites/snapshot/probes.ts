import { randomUUID } from 'node:crypto';
import { isObject, isSuccess } from '../../spec/index.ts';
import type { Exchange, Form, Json, Operation } from '../../spec/index.ts';
import { create } from '../../domain/create.ts';
import { idOf, itemsOf, sameId } from '../../domain/items.ts';
import { resourcesOf } from '../../domain/resources.ts';
import { Skip } from '../kit/context.ts';
import type { RequestSpec, TestContext } from '../kit/context.ts';
import { walk } from '../../domain/read-list.ts';
import { answerOf } from './answer.ts';
import type { Answer } from './answer.ts';
import { withoutValues } from './shape.ts';
import { sendValid, validRequest } from '../../domain/requests.ts';

/** One kind of request: always the same but for ids, times and names. */
export interface Probe {
  /** Key in the file. */
  readonly name: string;
  /** Its first word tells which sentence of the document is open: `valid` or a refusal. */
  readonly refused: boolean;
  /** Sends it and says what the answer teaches, with the exchange that shows it. */
  readonly ask: (t: TestContext) => Promise<{ readonly answer: Answer | undefined; readonly exchange: Exchange }>;
}

/** All that is asked of an operation through one of its forms. */
export function probesOf(operation: Operation, form: Form): readonly Probe[] {
  const ids = operation.parameters.filter((each) => each.in === 'path').map((each) => each.name);
  const last = ids.at(-1);
  const json = operation.body?.content.some((each) => /json/.test(each.type)) === true;
  return [
    { name: 'a valid request', refused: false, ask: (t) => askValid(t, operation, form) },
    ...(operation.permission === 'none'
      ? []
      : [refusal('without a token', operation, form, () => ({ identity: 'none' }))]),
    ...(last === undefined
      ? []
      : [
          refusal('an unknown id', operation, form, (ask) => ({ path: { ...ask.path, [last]: randomUUID() } })),
          refusal('a malformed id', operation, form, (ask) => ({ path: { ...ask.path, [last]: 'not-an-id' } })),
        ]),
    ...(json
      ? [
          refusal('an unclosed object', operation, form, () => ({
            body: { type: 'application/json', content: '{"assay":' },
          })),
          refusal('a body of another media type', operation, form, () => ({
            body: { type: 'application/x-assay', content: 'assay' },
          })),
        ]
      : []),
  ];
}

function refusal(
  name: string,
  operation: Operation,
  form: Form,
  change: (ask: RequestSpec) => Partial<RequestSpec>,
): Probe {
  return {
    name,
    refused: true,
    ask: async (t) => {
      const ask = await validRequest(t, operation, form, operation.method === 'GET' ? 'shared' : 'victim');
      const changed = change(ask);
      const { json: _json, ...bare } = ask;
      const exchange = await t.send(operation, {
        ...(changed.body === undefined ? ask : bare),
        ...changed,
        label: name,
      });
      return { answer: answerOf(exchange), exchange };
    },
  };
}

async function askValid(
  t: TestContext,
  operation: Operation,
  form: Form,
): Promise<{ answer: Answer | undefined; exchange: Exchange }> {
  const resource = resourcesOf(t.session.contract).find((each) => each.list?.id === operation.id);
  if (resource !== undefined && t.session.allows('reversible')) {
    const { id } = await create(t, resource, { suffix: 'learn' });
    const seen = await walk(t, operation, { form, label: 'look for it in the list' });
    const exchange = seen?.pages.at(0);
    const own = seen?.items.find((item) => sameId(idOf(item), id));
    if (exchange !== undefined && own !== undefined)
      return { answer: answerOf(exchange, withItems(exchange.response?.json, [own])), exchange };
    t.skip(`what was created is not in ${operation.id}`);
  }
  const exchange =
    operation.method === 'GET'
      ? await t.send(operation, { ...(await freshAsk(t, operation, form)), label: 'a valid request' })
      : await sendValid(t, operation, form, (ask) => ({ ...ask, label: 'a valid request' }));
  const answer = isSuccess(exchange.response?.status ?? 0) ? answerOf(exchange) : undefined;
  const others =
    answer !== undefined &&
    operation.method === 'GET' &&
    !operation.path.endsWith('}') &&
    itemsOf(exchange.response?.json) !== undefined;
  return { answer: others ? { ...answer, body: withoutValues(answer.body) } : answer, exchange };
}

/** Something of its own to read, where that can be made. */
async function freshAsk(t: TestContext, operation: Operation, form: Form): Promise<RequestSpec> {
  try {
    return await validRequest(t, operation, form, 'fresh');
  } catch (error) {
    if (!(error instanceof Skip)) throw error;
    return validRequest(t, operation, form);
  }
}

/** A list, or the wrapper of one, with other items. */
function withItems(json: Json | undefined, items: readonly Json[]): Json {
  if (!isObject(json)) return [...items];
  const key = Object.keys(json).find((each) => json[each] === itemsOf(json));
  return key === undefined ? [...items] : { ...json, [key]: [...items] };
}
