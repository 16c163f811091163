import { parse } from 'lossless-json';
import { ranJob } from '../../domain/builtin/runs.ts';
import { operationOf } from '../../domain/builtin/operations.ts';
import { idsOf, itemsIn, memberOf } from '../../domain/items.ts';
import { count } from '../../spec/count.ts';
import { isServed } from '../../spec/index.ts';
import type { Exchange, FindingCode, Form, Json, Operation, Violation } from '../../spec/index.ts';
import type { TestContext } from '../kit/context.ts';
import { openSession } from '../kit/session.ts';
import { violationOf } from '../kit/violation.ts';
import { defineForRole } from './define.ts';

const session = await openSession();

/** Larger than the integers that a double holds exactly. */
const LARGE_OFFSETS = ['9007199254740993', '9223372036854775806'];

defineForRole(
  session,
  'chatStream',
  {
    suite: 'state/chat-stream',
    title: 'offset is a 64-bit integer and skips earlier items',
    checks: ['int64-offset', 'job-runs'],
    requirements: ['chats.stream-offset', 'chats.stream'],
    effects: ['read'],
  },
  async (t, { operation, form }) => {
    const { jobId, own } = await ranJob(t);
    const read = (offset?: string): Promise<Exchange> =>
      t.send(operation, {
        form,
        path: { id: jobId },
        ...(offset === undefined ? {} : { rawQuery: `offset=${offset}` }),
        expect: 'success',
        label: offset === undefined ? 'without offset' : `offset ${offset}`,
      });
    const report = (code: FindingCode, expected: string, received: string, exchanges: readonly Exchange[]): void => {
      const requirement = 'chats.stream-offset';
      t.report(violationOf(code, operation, { requirement, expected, received, exchanges }));
    };
    if (own) await t.holds(() => findEmptyStream(t, operation, form, read));
    const all = await read();
    const offsets = offsetsOf(all);
    for (const offset of LARGE_OFFSETS) {
      const past = await read(offset);
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
);

/** A stream without the chats of the job's runs. Whether the stream keeps the chats of ended runs is not documented. */
async function findEmptyStream(
  t: TestContext,
  operation: Operation,
  form: Form,
  read: () => Promise<Exchange>,
): Promise<Violation | undefined> {
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
