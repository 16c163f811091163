import { hit, items, parsed } from '../proxy/edit.ts';
import type { Context, Make } from '../proxy/message.ts';
import { passThrough } from '../proxy/compose.ts';
import { atWork } from './timing.ts';
import { variation } from './variation.ts';
import type { Variation } from './variation.ts';
import { LIST } from '../exam/operations.ts';

const POLICY = '/api/accesscontrolpolicies';
const OTHERS = 'others work on the same deployment';
const ODD_NAMES = [
  null,
  '',
  ' ',
  'same',
  'same',
  'SAME',
  '<b>bold</b>',
  '"; DROP TABLE',
  'ÄÖÜ ß ı İ',
  '𝔘𝔫𝔦',
  'assay-',
  'e\u0301',
  'é',
  '100%',
  'a_b',
  '[x]',
  "O'Brien",
  'x'.repeat(2000),
  'null',
  '0',
];

export async function crowd(context: Context, policies: number, others: number): Promise<void> {
  for (let from = 0; from < policies; from += 50) {
    await Promise.all(
      Array.from({ length: Math.min(50, policies - from) }, async (_, index) => {
        const id = String(
          parsed(await context.send('POST', POLICY, { name: `neighbour ${from + index}`, description: 'here before' })),
        );
        if (index % 3 === 0) await context.send('POST', `${POLICY}/${id}/activate`);
      }),
    );
  }
  for (let index = 0; index < others; index += 1) {
    await context.send('POST', '/api/aiagent', { name: `neighbour ${index}` });
    await context.send('POST', '/api/aijob', { name: `neighbour ${index}`, metadata: { team: 'others' } });
  }
}

export async function oddOnes(context: Context): Promise<void> {
  for (const name of ODD_NAMES) await context.send('POST', POLICY, { name, description: name });
  for (const name of ODD_NAMES) await context.send('POST', '/api/aiagent', { name, metadata: { key: name, '': '' } });
  for (const name of ODD_NAMES) await context.send('POST', '/api/aijob', { name, description: null, metadata: {} });
}

/** Before many a page that is read somebody creates or deletes a policy. */
export const turnover: Make = (context) => {
  const ids: string[] = [];
  let count = 0;
  return async (call, next) => {
    if (!hit(call, LIST) || call.role !== 'full') return next();
    count += 1;
    if (Math.random() < 0.25)
      ids.push(
        String(
          parsed(await context.send('POST', POLICY, { name: `${count % 2 === 0 ? 'AAA' : 'zzz'} passing ${count}` })),
        ),
      );
    if (ids.length > 3 && Math.random() < 0.25) await context.send('DELETE', `${POLICY}/${ids.shift() ?? ''}`);
    return next();
  };
};

/** Somebody who orders what is his own, all the time, by reading the whole and setting it with his policies exchanged. */
const reordering = (context: Context): (() => Promise<void>) => {
  let own: readonly string[] | undefined;
  return atWork(150, async () => {
    own ??= await Promise.all(
      [1, 2, 3].map(async (number) => String(parsed(await context.send('POST', POLICY, { name: `mine ${number}` })))),
    );
    const order = items(parsed(await context.send('GET', `${POLICY}/byprocessingorder`))) as { id: string }[];
    const places = order.flatMap(({ id }, index) => (own?.includes(id) === true ? [index] : []));
    const turned = order.map(({ id }, index) =>
      places.includes(index)
        ? { id: order[places[(places.indexOf(index) + 1) % places.length] ?? index]?.id ?? id }
        : { id },
    );
    await context.send('POST', `${POLICY}/setprocessingorder`, turned.slice(0, (places.at(-1) ?? 0) + 1));
  });
};

export const NEIGHBOURS: readonly Variation[] = [
  variation('many-neighbours', OTHERS, passThrough, { before: (context) => crowd(context, 1500, 120) }),
  variation('odd-neighbours', 'names of others: not limited', passThrough, { before: oddOnes }),
  variation('pages-shift', `${OTHERS}, also between two pages`, turnover),
  variation('others-ordering-all-the-time', OTHERS, passThrough, { actor: reordering }),
];
