import { parse } from 'lossless-json';
import type { Exchange, Json } from '../../spec/index.ts';
import { isObject, isSuccess } from '../../spec/index.ts';
import { itemsOf } from '../../domain/items.ts';
import { defineTest } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import { OPERATIONS, operationOf } from '../../domain/builtin/operations.ts';
import { ranJob } from '../../domain/builtin/runs.ts';

const session = await openSession();

/** Beyond what a double holds exactly. */
const BIG = ['9007199254740993', '9223372036854775806'];

for (const form of session.contract.operation(OPERATIONS.chatStream)?.forms ?? []) {
  defineTest(
    session,
    {
      suite: 'state/chat-stream',
      title: 'offset skips what was read, in 64 bits',
      form,
      checks: ['int64-offset'],
      requirements: ['chats.stream-offset', 'chats.stream'],
      effects: ['read'],
      operation: session.contract.operation(OPERATIONS.chatStream) as NonNullable<
        ReturnType<typeof session.contract.operation>
      >,
    },
    async (t) => {
      const operation = operationOf(t.session, 'chatStream');
      const { jobId, own } = await ranJob(t);
      const ask = (offset: string | undefined): Promise<Exchange> =>
        t.send(operation, {
          form,
          path: { id: jobId },
          ...(offset === undefined ? {} : { rawQuery: `offset=${offset}` }),
          expect: 'success',
          label: `offset ${offset ?? 'not sent'}`,
        });
      const all = await ask(undefined);
      const offsets = offsetsOf(all);
      const tell = (cause: string, expected: string, received: string, exchanges: readonly Exchange[]): void => {
        t.report({
          check: 'int64-offset',
          requirement: 'chats.stream-offset',
          operation,
          cause,
          message: `${operation.id}: ${cause}`,
          expected,
          received,
          exchanges,
        });
      };
      for (const big of BIG) {
        const past = await ask(big);
        if (!isSuccess(past.response?.status ?? 0)) continue;
        const last = offsets.at(-1);
        const count = itemsOf(past.response?.json)?.length ?? 0;
        if (own && last !== undefined && BigInt(big) > last && count > 0)
          tell('an offset past the end shows items', 'no items', `${count} items`, [all, past]);
      }
      const middle = offsets[Math.floor(offsets.length / 2)];
      if (!own || middle === undefined || !increasing(offsets)) return;
      const from = await ask(String(middle));
      const seen = offsetsOf(from);
      const before = seen.find((each) => each < middle);
      if (before !== undefined)
        tell('items before the offset', `items from offset ${middle} on`, `an item at ${before}`, [all, from]);
      const lost = offsets.find((each) => each > middle && !seen.includes(each));
      if (before === undefined && lost !== undefined)
        tell('items after the offset are lost', `the item at ${lost}`, `${seen.length} items without it`, [all, from]);
    },
  );
}

/** Offsets of the items, as exact as in the text. */
function offsetsOf({ response }: Exchange): readonly bigint[] {
  if (!Array.isArray(response?.json)) return [];
  const items = parse(new TextDecoder().decode(response.body), undefined, {
    parseNumber: (number) => (/^-?\d+$/.test(number) ? BigInt(number) : Number(number)),
    onDuplicateKey: ({ newValue }) => newValue,
  }) as readonly Json[];
  return items.flatMap((item) => {
    const offset: unknown = isObject(item) ? item['offset'] : undefined;
    return typeof offset === 'bigint' ? [offset] : [];
  });
}

function increasing(offsets: readonly bigint[]): boolean {
  return offsets.every((each, at) => at === 0 || each > (offsets[at - 1] ?? each));
}
