import { fileURLToPath } from 'node:url';
import SwaggerParser from '@apidevtools/swagger-parser';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadContract } from './loading/load.ts';
import { loadPaths } from './testing/description-file.ts';
import type { Contract, Operation } from './contract.ts';

const FILE = fileURLToPath(new URL('./openapi.yaml', import.meta.url));
const POLICIES = 'RACI:management.accesscontrol';
const AI = 'RACI:management.aiagents';
const BOTH = ['/api', '/api/v1'];
const PAGED = ['pageNumber:1', 'pageSize:10', 'sortDirection'];

type Row = readonly [method: string, path: string, permission: string, query: readonly string[], forms?: string[]];

/** Section 4 of the API document, written down again; query parameters with their defaults, default forms: both. */
const TABLE: readonly Row[] = [
  [
    'GET',
    '/accesscontrolpolicies',
    POLICIES,
    ['page:0', 'take:20', 'filterActive', 'filterCreator', 'searchName', 'orderBy', 'orderAsc:true'],
  ],
  ['POST', '/accesscontrolpolicies', POLICIES, []],
  ['GET', '/accesscontrolpolicies/byprocessingorder', POLICIES, []],
  ['POST', '/accesscontrolpolicies/setprocessingorder', POLICIES, []],
  ['POST', '/accesscontrolpolicies/{id}/activate', POLICIES, []],
  ['POST', '/accesscontrolpolicies/{id}/deactivate', POLICIES, []],
  ['GET', '/accesscontrolpolicies/{id}', POLICIES, []],
  ['PUT', '/accesscontrolpolicies/{id}', POLICIES, []],
  ['DELETE', '/accesscontrolpolicies/{id}', POLICIES, []],
  ['GET', '/accesscontrolpolicies/actions', POLICIES, []],
  ['GET', '/aiagent', AI, ['metadataFilter']],
  ['POST', '/aiagent', AI, []],
  ['GET', '/aiagent/{id}', AI, []],
  ['PUT', '/aiagent/{id}', AI, []],
  ['DELETE', '/aiagent/{id}', AI, []],
  ['GET', '/aijob', AI, ['metadataFilter']],
  ['POST', '/aijob', AI, []],
  ['GET', '/aijob/{id}', AI, []],
  ['PUT', '/aijob/{id}', AI, []],
  ['PATCH', '/aijob/{id}', AI, []],
  ['DELETE', '/aijob/{id}', AI, []],
  ['GET', '/aijob/summary', AI, []],
  ['POST', '/aijob/{id}/preview', AI, []],
  ['GET', '/aijob/{id}/chatstream', AI, ['offset']],
  ['GET', '/aijob/{id}/results/{type}', AI, ['state', ...PAGED, 'searchName']],
  ['GET', '/aijob/{id}/results/{type}/{resultId}', AI, []],
  ['GET', '/aijob/{id}/runs', AI, ['runType', ...PAGED]],
  ['GET', '/aijob/{jobId}/runs/{runId}/chats', AI, [...PAGED, 'includeOnlyChatsWithNoResults:false']],
  ['GET', '/aijob/{jobId}/runs/{runId}/chats/{chatId}', AI, []],
  ['GET', '/aijob/{id}/runs/{runId}/results', AI, PAGED],
  ['POST', '/aijob/{id}/execution-queue', AI, []],
  ['POST', '/aijob/{id}/dry-run', AI, []],
  ['PUT', '/aijob/{id}/bulk-result-approval-request', AI, []],
  ['POST', '/aijob/{id}/results/{type}/approvals', AI, []],
  ['GET', '/aijobskills', 'any', []],
  ['GET', '/auditLog/{objectId}/{objectTypeId}', 'any', ['page:0', 'take:20']],
  ['GET', '/auditLog/getByObjectTypeIds', 'any', ['objectIds']],
  ['GET', '/status', 'none', [], ['/api/v1']],
  ['GET', '/vocabs/keys', 'unstated', [], ['/api/v1']],
  ['POST', '/clue', 'unstated', ['save'], ['/api/v1']],
  ['POST', '/admin/entity/ProcessClue', 'unstated', [], ['/api']],
  ['GET', '/v2/search/suggest', 'unstated', [], ['/api']],
  ['GET', '/v3/search/suggest', 'unstated', [], ['/api']],
];

let contract: Contract;
beforeAll(async () => {
  contract = await loadContract();
});

const operation = (id: string): Operation => contract.operation(id) ?? expect.fail(`no operation ${id}`);

function documentedQuery(item: Operation): readonly string[] {
  return item.parameters
    .filter((parameter) => parameter.in === 'query')
    .flatMap((parameter) => {
      const { schema } = parameter.schema;
      const fields = typeof schema === 'boolean' ? {} : schema;
      if (fields['x-grade'] === 'published') return [];
      return [
        fields['default'] === undefined ? parameter.name : `${parameter.name}:${JSON.stringify(fields['default'])}`,
      ];
    });
}

function by(effect: string): readonly string[] {
  return contract.operations
    .filter((item) => item.effect === effect)
    .map((item) => item.id)
    .sort();
}

function judge(id: string, value: unknown): readonly string[] {
  const schema =
    operation(id).responses.find((response) => response.status === '200')?.content[0]?.schema ??
    expect.fail(`no schema for ${id}`);
  return contract.validate(schema, value).map((item) => `${item.grade} ${item.instancePointer} ${item.keyword}`);
}

describe('the built-in description', () => {
  it('is valid for swagger-parser', async () => {
    const api = await SwaggerParser.validate(FILE, { dereference: { circular: 'ignore' } });
    expect(api.info.version).toBe('v1');
  });

  it('has the operations of the table and no other', () => {
    expect(contract.operations.map((item) => item.id).sort()).toEqual(
      TABLE.map(([method, path]) => `${method} ${path}`).sort(),
    );
    expect(contract.problems).toEqual([]);
    expect(contract.builtIn).toBe(true);
  });

  for (const [method, path, permission, query, forms = BOTH] of TABLE)
    it(`${method} ${path}`, () => {
      const item = operation(`${method} ${path}`);
      expect(item.permission).toBe(permission);
      expect(item.forms.map((form) => form.name)).toEqual(forms);
      expect(item.forms.map((form) => form.path)).toEqual(forms.map((form) => `${form}${path}`));
      expect([...documentedQuery(item)].sort()).toEqual([...query].sort());
      expect(item.section).toMatch(/^4 /);
      expect(item.responses.map((response) => response.status)).toContain('200');
    });

  it('accepts the four request media types for every body', () => {
    for (const item of contract.operations.filter((each) => each.body !== undefined)) {
      expect(item.body?.content.map((media) => media.type)).toEqual([
        'application/json',
        'application/json-patch+json',
        'text/json',
        'application/*+json',
      ]);
    }
    expect(contract.operations.filter((each) => each.body !== undefined)).toHaveLength(14);
  });

  it('offers the three response media types for every response schema', () => {
    const shown = contract.operations
      .flatMap((item) => item.responses)
      .filter((response) => response.content.length > 0);
    for (const response of shown)
      expect(response.content.map((media) => media.type)).toEqual(['application/json', 'text/json', 'text/plain']);
    expect(
      new Set(contract.operations.filter((item) => item.responses[0]?.content.length === 0).map((item) => item.id))
        .size,
    ).toBe(20);
  });

  it('has valid examples', () => {
    for (const item of contract.operations) {
      for (const media of item.body?.content ?? []) {
        expect(media.examples.length).toBeGreaterThan(0);
        for (const example of media.examples)
          expect(media.schema && contract.validate(media.schema, example), item.id).toEqual([]);
      }
    }
  });

  it('serialises metadataFilter and objectIds as documented', () => {
    const [filter] = operation('GET /aijob').parameters;
    expect(filter).toMatchObject({ name: 'metadataFilter', style: 'deepObject', explode: true });
    const [ids] = operation('GET /auditLog/getByObjectTypeIds').parameters;
    expect(ids).toMatchObject({ name: 'objectIds', style: 'form', explode: true });
  });

  it('states each effect', () => {
    expect(by('global')).toEqual(['POST /accesscontrolpolicies/setprocessingorder']);
    expect(by('costly')).toEqual([
      'POST /aijob/{id}/dry-run',
      'POST /aijob/{id}/execution-queue',
      'POST /aijob/{id}/preview',
    ]);
    expect(by('irreversible')).toEqual([
      'POST /admin/entity/ProcessClue',
      'POST /aijob/{id}/results/{type}/approvals',
      'POST /clue',
      'PUT /aijob/{id}/bulk-result-approval-request',
    ]);
    expect(by('read')).toEqual(TABLE.flatMap(([method, path]) => (method === 'GET' ? `GET ${path}` : [])).sort());
  });
});

describe('grades of the built-in description', () => {
  it('accepts a bare list of policies or a wrapper with one list, and nothing else', () => {
    expect(judge('GET /accesscontrolpolicies', [])).toEqual([]);
    const nameless = [{ id: '5B1F3A52-0C4E-4B5E-9D55-3F6F3C1D7A01', name: null }];
    expect(judge('GET /accesscontrolpolicies', nameless)).toEqual([]);
    expect(judge('GET /accesscontrolpolicies', { total: 1, data: [{}] })).toEqual([]);
    expect(judge('GET /accesscontrolpolicies', { data: [{}], _links: { next: null } })).toEqual([]);
    for (const wrong of [{}, { total: 1 }, { id: '1', rules: [], condition: {} }, null, 'x', { data: ['x'] }, [1]]) {
      expect(judge('GET /accesscontrolpolicies', wrong).join(), JSON.stringify(wrong)).toContain('documented');
    }
  });

  it('distinguishes published from documented violations in the list', () => {
    expect(judge('GET /accesscontrolpolicies', [{ name: 5 }])).toEqual(['published /0/name type']);
    expect(judge('GET /accesscontrolpolicies', { data: [{ name: 5 }] })).toEqual(['published /data/0/name type']);
    expect(judge('GET /accesscontrolpolicies', ['x'])).toEqual(['documented /0 type']);
  });

  it('requires the uuid of a new policy', () => {
    expect(judge('POST /accesscontrolpolicies', '5b1f3a52-0c4e-4b5e-9d55-3f6f3c1d7a01')).toEqual([]);
    expect(judge('POST /accesscontrolpolicies', { id: '5b1f3a52-0c4e-4b5e-9d55-3f6f3c1d7a01' })).toEqual([
      'documented  type',
    ]);
    expect(judge('POST /accesscontrolpolicies', '5b1f3a52')).toEqual(['documented  format']);
  });

  it('grades the fields of a page as published', () => {
    expect(judge('GET /aijob/{id}/runs', { data: [] })).toEqual([
      'published  required',
      'published  required',
      'published  required',
    ]);
    expect(judge('GET /aijob/{id}/runs', { totalCount: 1, pageSize: 10, currentPage: 1, data: [5] })).toEqual([
      'published /data/0 type',
    ]);
    expect(judge('GET /aijob/{id}/runs', [])).toEqual(['documented  type']);
  });

  it('follows recursive schemas', () => {
    const condition = { rules: [{ rules: [{ field: 7 }] }] };
    expect(judge('GET /accesscontrolpolicies/{id}', { condition })).toEqual([
      'published /condition/rules/0/rules/0/field type',
    ]);
  });
});

describe('the requirements of the API document', () => {
  it('have unique ids and name existing operations', () => {
    const ids = contract.requirements.map((item) => item.id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const item of contract.requirements) {
      expect(item.id).toMatch(/^[a-z]+(-[a-z]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)+$/);
      expect(item.text.length).toBeGreaterThan(10);
      for (const id of item.operations ?? []) expect(contract.operation(id), `${item.id}: ${id}`).toBeDefined();
    }
  });

  it('cover every operation', () => {
    const covered = new Set(
      contract.requirements.filter((item) => item.untestable === undefined).flatMap((item) => item.operations ?? []),
    );
    expect(contract.operations.map((item) => item.id).filter((id) => !covered.has(id))).toEqual([]);
  });

  it('cover every section', () => {
    const sections = new Set(contract.requirements.map((item) => item.section.slice(0, 1)));
    expect([...sections].sort()).toEqual(['1', '2', '3', '4', '5', '7', '8', '9']);
  });

  it('are graded for another description', async () => {
    const contract = await loadPaths({});
    expect(contract.requirements.filter((item) => item.grade === 'documented').map((item) => item.id)).toEqual([
      'service.described-operations',
      'content.response-type',
      'content.response-schema',
      'content.response-well-formed',
      'errors.documented-status',
      'errors.no-server-error',
    ]);
    expect(contract.requirements.filter((item) => item.grade === 'inferred').map((item) => item.id)).toEqual([
      'errors.success',
      'versioning.accept',
    ]);
  });
});
