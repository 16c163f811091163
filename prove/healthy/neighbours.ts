import { hit } from '../proxy/call.ts';
import { listAt } from '../proxy/handler.ts';
import { asObject } from '../proxy/json.ts';
import type { Context, Make } from '../proxy/message.ts';
import { passThrough } from '../proxy/compose.ts';
import { createPolicy, moveTo, orderOf, POLICIES_PATH } from '../defects/items.ts';
import { OTHERS, repeatedly } from './timing.ts';
import { variation } from './variation.ts';
import type { Variation } from './variation.ts';
import { LIST } from '../defects/operations.ts';

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

/** Creates policies, and agents and jobs, before the run. */
export async function crowd(context: Context, policies: number, others: number): Promise<void> {
  for (let from = 0; from < policies; from += 50) {
    await Promise.all(
      Array.from({ length: Math.min(50, policies - from) }, async (_, index) => {
        const id = await createPolicy(context, { name: `neighbour ${from + index}`, description: 'here before' });
        if (index % 3 === 0) await moveTo(context, id, 'activate');
      }),
    );
  }
  for (let index = 0; index < others; index += 1) {
    await context.send('POST', '/api/aiagent', { name: `neighbour ${index}` });
    await context.send('POST', '/api/aijob', { name: `neighbour ${index}`, metadata: { team: 'others' } });
  }
}

/** Creates items with odd names before the run. */
export async function oddOnes(context: Context): Promise<void> {
  for (const name of ODD_NAMES) await context.send('POST', POLICIES_PATH, { name, description: name });
  for (const name of ODD_NAMES) await context.send('POST', '/api/aiagent', { name, metadata: { key: name, '': '' } });
  for (const name of ODD_NAMES) await context.send('POST', '/api/aijob', { name, description: null, metadata: {} });
}

/** Creates and deletes policies between the reads of pages. */
export const turnover: Make = (context) => {
  const ids: string[] = [];
  let count = 0;
  return async (call, next) => {
    if (!hit(call, LIST) || call.role !== 'full') return next();
    count += 1;
    if (Math.random() < 0.25)
      ids.push(await createPolicy(context, { name: `${count % 2 === 0 ? 'AAA' : 'zzz'} passing ${count}` }));
    if (ids.length > 3 && Math.random() < 0.25) await context.send('DELETE', `${POLICIES_PATH}/${ids.shift() ?? ''}`);
    return next();
  };
};

/** Another user who reads the order and sets it with his own policies exchanged, again and again. */
const reordering = (context: Context): (() => Promise<void>) => {
  let own: readonly string[] | undefined;
  return repeatedly(150, async () => {
    own ??= await Promise.all([1, 2, 3].map((number) => createPolicy(context, { name: `mine ${number}` })));
    const order = (await orderOf(context)) as { id: string }[];
    const places = order.flatMap(({ id }, index) => (own?.includes(id) === true ? [index] : []));
    const turned = order.map(({ id }, index) =>
      places.includes(index)
        ? { id: order[places[(places.indexOf(index) + 1) % places.length] ?? index]?.id ?? id }
        : { id },
    );
    await context.send('POST', `${POLICIES_PATH}/setprocessingorder`, turned.slice(0, (places.at(-1) ?? 0) + 1));
  });
};

/** Another user who copies what is there under another name, and removes the copies. */
const copying = (context: Context): (() => Promise<void>) => {
  const copies: string[] = [];
  return repeatedly(150, async () => {
    const all = (await listAt(context, `${POLICIES_PATH}?take=100000`)).map(asObject);
    const originals = all.filter(({ name }) => !String(name).startsWith('Copy'));
    const { name, description } = originals[Math.floor(Math.random() * originals.length)] ?? {};
    copies.push(await createPolicy(context, { name: `Copy of ${String(name)}`, description }));
    if (copies.length > 20) await context.send('DELETE', `${POLICIES_PATH}/${copies.shift() ?? ''}`);
  });
};

/** Other items and other users of the same deployment. */
export const NEIGHBOURS: readonly Variation[] = [
  variation('many-neighbours', OTHERS).by(passThrough, { before: (context) => crowd(context, 1500, 120) }),
  variation('odd-neighbours', 'the names of other items are not limited').by(passThrough, {
    before: oddOnes,
    decides: 'markup in names',
  }),
  variation('pages-shift', `${OTHERS}, also between two pages`).by(turnover),
  variation('others-copying-items', OTHERS).by(passThrough, { actor: copying }),
  variation('others-ordering-all-the-time', OTHERS).by(passThrough, { actor: reordering }),
];
