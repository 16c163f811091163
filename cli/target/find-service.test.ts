import { expect, test } from 'vitest';
import { kept, serve } from '../../client/testing/fixtures.ts';
import { loadContract } from '../../spec/index.ts';
import { descriptionFile, OK, openapi } from '../../spec/testing/description-file.ts';
import type { SuiteRunOptions } from '../../suites/index.ts';
import { findService } from './find-service.ts';

const SERVERS = { servers: [{ url: 'https://api.example.com/v2' }] };
const TENANT = { name: 'x-tenant', in: 'header', required: true, schema: { type: 'string' } };

const OPTIONS: SuiteRunOptions = {
  baseUrl: '',
  tokens: {},
  embedded: false,
  allow: ['read'],
  only: [],
  skip: [],
  seed: 1,
  runs: 1,
  settleMs: 0,
  strict: false,
  runId: 'test',
};

/** Where the service of a description is found, which answers requests to a path with a status, and others with 404. */
async function found(description: object, path: string, status: number): Promise<readonly string[]> {
  const service = serve(({ url = '' }, response) => {
    response.writeHead(url === path ? status : 404, { 'content-type': 'application/json' }).end('{}');
  });
  const specSource = descriptionFile(description);
  const options = { ...OPTIONS, specSource, baseUrl: (await kept(service)).url };
  const notes: string[] = [];
  const recorder = { note: (text: string) => void notes.push(text) };
  const { contract } = await findService(options, await loadContract(specSource), recorder);
  return [...contract.operations.map(({ forms }) => forms[0]?.path ?? ''), ...notes];
}

test.each<[string, object, number]>([
  ['reads', { get: { responses: OK } }, 200],
  ['reads that need a value', { get: { parameters: [TENANT], responses: OK } }, 400],
  ['no reads', { patch: { responses: OK } }, 405],
])('a service with %s is found with the prefix of its servers and without', async (_, item, status) => {
  const description = openapi({ '/things': item }, SERVERS);
  expect(await found(description, '/v2/things', status)).toEqual(['/v2/things']);
  expect(await found(description, '/things', status)).toEqual([
    '/things',
    "The paths of the service start directly at --base-url, without the description's server prefix /v2.",
  ]);
});

test('a service without the prefix that wants a secret is no missing service', async () => {
  const securitySchemes = { key: { type: 'apiKey', in: 'header', name: 'x-key' } };
  const secured = { ...SERVERS, security: [{ key: [] }], components: { securitySchemes } };
  const description = openapi({ '/things': { get: { responses: OK } } }, secured);
  await expect(found(description, '/things', 401)).rejects.toThrow(/requires key .*none was given/);
  await expect(found(description, '/other', 401)).rejects.toThrow(/The service is not at .*GET \/v2\/things/);
});
