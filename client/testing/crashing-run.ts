import { createTarget } from '../pipeline.ts';
import { openJournal } from '../journal/journal.ts';
import { aRequest } from './fixtures.ts';
import { THINGS, thing } from './things.ts';

/** Creates things until it is killed: `crashing-run.ts BASE_URL STATE_DIR`. */
const [baseUrl = '', dir = ''] = process.argv.slice(2);
const target = createTarget({ baseUrl });
const journal = openJournal({ dir, runId: 'crash', baseUrl });
const operation = THINGS.operation('POST /things');
if (!operation) throw new Error('no operation');

async function createForEver(worker: number): Promise<void> {
  for (let number = 1; ; number += 1) {
    const tag = `assay-crash-${worker}x${number}`;
    const entry = await journal.intend(thing(tag));
    const exchange = await target.send(
      aRequest({
        ...(operation ? { operation } : {}),
        body: { type: 'application/json', content: JSON.stringify({ name: `a ${tag}` }) },
      }),
    );
    const id = exchange.response?.json;
    if (typeof id === 'string') await journal.acknowledge(entry, id);
  }
}

await journal.saveGlobal('order', ['x', 'y']);
await Promise.all([1, 2, 3, 4].map(createForEver));
