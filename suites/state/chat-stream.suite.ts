import { parse } from 'lossless-json';
import { ranJob } from '../../domain/builtin/runs.ts';
import { operationOf } from '../../domain/builtin/operations.ts';
import { idOf, idsOf, itemsIn, memberOf, sameId } from '../../domain/items.ts';
import { count } from '../../spec/count.ts';
import { isObject, isServed, scalarText } from '../../spec/index.ts';
import type { Exchange, Expectation, FindingCode, Form, Json, Operation } from '../../spec/index.ts';
import type { Evaluation, RequestSpec, TestContext } from '../kit/context.ts';
import { openSession } from '../kit/session.ts';
import { reportViolation, violationOf } from '../kit/violation.ts';
import { defineForRole } from './define.ts';

const session = await openSession();

/** Larger than the integers that a double holds exactly. */
const LARGE_OFFSETS = ['9007199254740993', '9223372036854775806'];

defineForRole(session, 'chatStream', {
  suite: 'state/chat-stream',
  title: 'offset is a 64-bit integer and skips earlier items',
  checks: ['int64-offset', 'job-runs'],
  requirements: ['chats.stream-offset', 'chats.stream'],
  effects: ['read'],
  run: async (t, { operation, form }) => {
    const { jobId, own } = await ranJob(t);
    const read = (offset?: string, expect: Expectation = 'success'): Promise<Exchange> =>
      t.send(operation, {
        form,
        path: { id: jobId },
        ...(offset === undefined ? {} : { rawQuery: `offset=${offset}` }),
        expect,
        label: offset === undefined ? 'without offset' : `offset ${offset}`,
      });
    const report = (code: FindingCode, expected: string, received: string, exchanges: readonly Exchange[]): void => {
      const requirement = 'chats.stream-offset';
      const grade = code === 'int64-offset/past-end' ? 'inferred' : undefined;
      reportViolation(t, code, operation, { requirement, grade, expected, received, exchanges });
    };
    if (own) await t.holds((t) => findEmptyStream(t, operation, form, read));
    const all = await read();
    const offsets = offsetsOf(all);
    for (const offset of LARGE_OFFSETS) {
      // That an offset past the end is served is not documented; any other refusal is one of a valid request.
      let past = await read(offset, 'any');
      if (!isServed(past) && past.response?.status !== 404) past = await read(offset);
      const last = offsets.at(-1);
      const more = itemsIn(past)?.length ?? 0;
      if (!isServed(past) || !own || last === undefined || BigInt(offset) <= last) continue;
      if (more > 0) report('int64-offset/past-end', 'no items', count(more, 'item'), [all, past]);
    }
    const middle = offsets[Math.floor(offsets.length / 2)];
    if (!own || middle === undefined || !isIncreasing(offsets)) return;
    const from = await read(String(middle));
    const seen = offsetsOf(from);
    const before = seen.find((each) => each < middle);
    const lost = offsets.find((each) => each > middle && !seen.includes(each));
    if (before !== undefined) {
      report('int64-offset/before-offset', `items from offset ${middle}`, `an item at ${before}`, [all, from]);
    } else if (lost !== undefined) {
      report('int64-offset/items-lost', `the item at ${lost}`, `${count(seen.length, 'item')} without it`, [all, from]);
    }
  },
});

defineForRole(session, 'chat', {
  suite: 'state/chat-stream',
  title: 'a chat is the one of the stream with its id',
  checks: ['own-id'],
  requirements: ['chats.read', 'chats.stream'],
  effects: ['read'],
  run: async (t, { operation, form }) => {
    const { jobId, runIds, own, isOver } = await ranJob(t);
    if (!own || !isOver)
      t.skip('the chats of the job may change: a run has not ended, or this run of Assay did not start it');
    const stream = await t.send(operationOf(t, 'chatStream'), { form, path: { id: jobId }, label: 'the stream' });
    const streamed = itemsIn(stream)?.map((each) => memberOf(each, 'item') ?? null) ?? [];
    const path = { jobId, runId: runIds[0] ?? '' };
    const listed = await t.send(operationOf(t, 'chats'), { form, path, label: 'the chats of a run' });
    const ids = (idsOf(listed.response?.json) ?? []).filter((id) => streamed.some((each) => sameId(idOf(each), id)));
    if (ids.length === 0) t.skip('the stream shows no chat of the run');
    for (const chatId of ids.slice(0, MOST_CHATS))
      if (!(await t.holds((t) => findOtherContent(t, operation, { form, path: { ...path, chatId } }, stream)))) return;
  },
});

/** Most chats that are compared with the stream. */
const MOST_CHATS = 3;

/** A text of a chat that the stream shows in another chat. */
async function findOtherContent(
  t: TestContext,
  operation: Operation,
  request: Required<Pick<RequestSpec, 'form' | 'path'>>,
  stream: Exchange,
): Evaluation {
  const chat = await t.send(operation, { ...request, label: 'read the chat' });
  const all = itemsIn(stream)?.map((item) => memberOf(item, 'item')) ?? [];
  const streamed = all.find((each) => sameId(idOf(each), scalarText(request.path['chatId'])));
  if (!isServed(chat) || !isObject(streamed)) return undefined;
  const isOther = ([name, value]: readonly [string, Json]): boolean => {
    const shown = memberOf(chat.response.json, name);
    return typeof shown === 'string' && shown !== value && all.some((each) => memberOf(each, name) === shown);
  };
  const [name, value] = Object.entries(streamed).find(isOther) ?? [];
  if (name === undefined) return undefined;
  return violationOf('own-id/other-content', operation, {
    subject: name,
    requirement: 'chats.read',
    grade: 'inferred',
    expected: `${name}: ${JSON.stringify(value)}, as in the stream`,
    received: JSON.stringify(memberOf(chat.response.json, name)),
    exchanges: [stream, chat],
  });
}

/** A stream without the chats of the job's runs. Whether the stream keeps the chats of ended runs is not documented. */
async function findEmptyStream(
  t: TestContext,
  operation: Operation,
  form: Form,
  read: () => Promise<Exchange>,
): Evaluation {
  const { jobId, runIds } = await ranJob(t);
  const path = { jobId, runId: runIds[0] ?? '' };
  const chats = await t.send(operationOf(t, 'chats'), { form, path, label: 'the chats of a run' });
  const listed = idsOf(chats.response?.json) ?? [];
  const stream = await read();
  const shown = itemsIn(stream);
  if (!isServed(stream) || shown === undefined || shown.length > 0 || listed.length === 0) return undefined;
  return violationOf('job-runs/stream-empty', operation, {
    requirement: 'chats.stream',
    grade: 'inferred',
    expected: `the ${listed.length} chats of a run of the job`,
    received: 'an empty stream',
    exchanges: [chats, stream],
  });
}

/** Offsets of the items, without loss of precision. */
function offsetsOf({ response }: Exchange): readonly bigint[] {
  if (!Array.isArray(response?.json)) return [];
  const items = parse(new TextDecoder().decode(response.body), undefined, {
    parseNumber: (number) => (/^-?\d+$/.test(number) ? BigInt(number) : Number(number)),
    onDuplicateKey: ({ newValue }) => newValue,
  }) as readonly Json[];
  return items.flatMap((item) => {
    const offset: unknown = memberOf(item, 'offset');
    return typeof offset === 'bigint' ? [offset] : [];
  });
}

function isIncreasing(offsets: readonly bigint[]): boolean {
  return offsets.every((each, at) => at === 0 || each > (offsets[at - 1] ?? each));
}
