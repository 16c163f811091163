import { createServer } from 'node:http';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { listen } from '../../client/testing/fixtures.ts';
import type { Summary } from '../../reports/index.ts';
import { emptyDirectory, runAssay } from '../command/run-assay.ts';

const parameter = (name: string, schema: object): object => ({ name, in: 'query', schema });
const ITEM = { type: 'object', properties: { id: { type: 'integer' }, state: { type: 'string' } } };
const OK = { description: 'ok', content: { 'application/json': { schema: { type: 'array', items: ITEM } } } };
const DESCRIPTION = {
  openapi: '3.0.3',
  info: { title: 'Entries', version: '1' },
  paths: {
    '/entries': {
      get: {
        parameters: [
          parameter('limit', { type: 'integer', minimum: 1 }),
          parameter('offset', { type: 'integer', minimum: 0 }),
          parameter('state', { type: 'string', enum: ['open', 'closed'] }),
        ],
        responses: { 200: OK, 400: { description: 'no' } },
      },
    },
  },
};

const ENTRIES = Array.from({ length: 7 }, (_, at) => ({ id: at + 1, state: at % 3 === 0 ? 'closed' : 'open' }));

type Defect = 'pages-overlap' | 'state-ignored';

/** Codes of the findings about a service of entries, with these defects. */
async function codesWith(...defects: readonly Defect[]): Promise<readonly string[]> {
  const service = await listen(
    createServer(({ url = '' }, response) => {
      const { pathname, searchParams: query } = new URL(url, 'http://host');
      const [limit, offset, state] = [
        Number(query.get('limit') ?? 100),
        Number(query.get('offset') ?? 0),
        query.get('state'),
      ];
      const isWrong = !(limit >= 1 && offset >= 0) || (state !== null && !/^(open|closed)$/.test(state));
      const found = ENTRIES.filter(
        (entry) => state === null || defects.includes('state-ignored') || entry.state === state,
      );
      const start = defects.includes('pages-overlap') && offset > 0 ? offset - 1 : offset;
      response.writeHead(pathname === '/entries' ? (isWrong ? 400 : 200) : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isWrong ? {} : found.slice(start, start + limit)));
    }),
  );
  onTestFinished(() => service.close());
  const cwd = emptyDirectory();
  writeFileSync(join(cwd, 'entries.json'), JSON.stringify(DESCRIPTION));
  const words = [
    'verify',
    '--spec',
    'entries.json',
    '--base-url',
    service.url,
    '--only',
    'contract/paging,contract/filters',
  ];
  const { stdout } = await runAssay([...words, '--json'], { cwd });
  const { findings, totals } = JSON.parse(stdout) as Summary;
  expect(totals.skipped).toBe(0);
  return findings.map(({ code, severity }) => `${severity} ${code}`);
}

it('nothing is told of healthy lists of other descriptions', async () => {
  expect(await codesWith()).toEqual([]);
});

it('pages that overlap and an ignored filter are found in lists of other descriptions', async () => {
  const codes = await codesWith('pages-overlap', 'state-ignored');
  expect(codes.toSorted()).toEqual(['warning filters/wrongly-found', 'warning paging-partition/item-twice']);
});
