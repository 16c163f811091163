import { beforeAll, describe, expect, it } from 'vitest';
import { startService } from '../service/start.ts';
import { loadContract } from '../spec/index.ts';
import type { Contract } from '../spec/index.ts';
import { allDefects, mutantsOf } from './defect.ts';
import { OPERATORS } from './operators/index.ts';
import { startMutated } from './proxy/mutate.ts';
import { PROOFS } from './defects/proofs.ts';
import { defectThatProves, representative } from './selection.ts';
import { surfaceOf } from './surface.ts';
import { loadWritten } from '../spec/testing/description-file.ts';

let contract: Contract;

beforeAll(async () => {
  contract = await loadContract();
});

const OTHER = `
openapi: 3.1.0
info: { title: Notes, version: v1 }
servers: [{ url: '/' }]
components:
  securitySchemes: { key: { type: http, scheme: bearer } }
  schemas:
    Note: { type: object, required: [id, text], properties: { id: { type: string, format: uuid }, text: { type: string } } }
security: [{ key: [] }]
paths:
  /notes:
    get:
      parameters:
        - { name: page, in: query, schema: { type: integer, default: 0 } }
        - { name: limit, in: query, schema: { type: integer, default: 10 } }
        - { name: tag, in: query, schema: { type: string } }
      responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Note' } } } } } }
    post:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } }
      responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } } }
  /notes/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string, format: uuid } }]
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } }, '404': { description: none } } }
    delete: { responses: { '200': { description: ok }, '404': { description: none } } }
`;

describe('mutants', () => {
  it('have names of their own, and each operator has one', () => {
    const names = allDefects(contract).map(({ name }) => name);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    const mutants = mutantsOf(contract);
    const used = new Set(mutants.map(({ origin }) => origin));
    expect(Object.keys(OPERATORS).filter((name) => !used.has(name))).toEqual(['drop-required']);
  });

  it('include the defect that each check must catch', () => {
    const names = new Set(allDefects(contract).map(({ name }) => name));
    expect(
      Object.values(PROOFS)
        .flatMap((proof) => defectThatProves(proof) ?? [])
        .filter((name) => !names.has(name)),
    ).toEqual([]);
  });

  it('name operations and checks that exist', () => {
    const unknown = mutantsOf(contract).filter(
      ({ operations, checks }) => checks.length === 0 || operations.some((id) => contract.operation(id) === undefined),
    );
    expect(unknown.map(({ name }) => name)).toEqual([]);
  });

  it('are made from any description', async () => {
    const other = await loadWritten(OTHER);
    expect(surfaceOf(other).resources.map(({ collection }) => collection)).toEqual(['/notes']);
    const names = mutantsOf(other).map(({ name }) => name);
    for (const wanted of [
      'drop-required:text GET /notes/{id}',
      'no-token-accepted POST /notes',
      'page-size-default GET /notes',
      'filter-ignored:tag GET /notes',
      'write-forgotten DELETE /notes/{id}',
      'deleted-still-listed GET /notes',
    ])
      expect(names).toContain(wanted);
  });

  it('are represented by some of every operator', () => {
    const mutants = mutantsOf(contract);
    const chosen = representative(mutants, {});
    expect(new Set(chosen.map(({ origin }) => origin))).toEqual(new Set(mutants.map(({ origin }) => origin)));
    expect(chosen.length).toBeLessThan(mutants.length / 10);
  });
});

/** What a request through the mutated service is answered with. */
async function answered(defect: string, method: string, path: string, authorised = true) {
  const service = await startService();
  const defects = mutantsOf(contract).filter(({ name }) => name === defect);
  expect(defects).toHaveLength(1);
  const { baseUrl: upstream, tokens } = service;
  const mutated = await startMutated({ upstream, tokens, contract, defects, port: 0, host: '127.0.0.1' });
  try {
    const headers: Record<string, string> = authorised ? { authorization: `Bearer ${tokens.full}` } : {};
    const response = await fetch(`${mutated.baseUrl}${path}`, { method, headers });
    return { status: response.status, body: await response.text() };
  } finally {
    await mutated.close();
    await service.close();
  }
}

describe('the mutating proxy', () => {
  it.each([
    ['status-202 GET /aijobskills', '/api/aijobskills', 202],
    ['status-202 GET /aijobskills', '/api/v1/aijobskills', 202],
    ['status-202 GET /aijobskills', '/api/aijob', 200],
    ['missing-operation GET /accesscontrolpolicies in /api', '/api/accesscontrolpolicies', 404],
    ['missing-operation GET /accesscontrolpolicies in /api', '/api/v1/accesscontrolpolicies', 200],
  ])('%s: %s answers %i', async (defect, path, status) => {
    expect((await answered(defect, 'GET', path)).status).toBe(status);
  });

  it('lets a caller in where the operator says so', async () => {
    expect((await answered('no-token-accepted GET /aijobskills', 'GET', '/api/aijobskills', false)).status).toBe(200);
    expect((await answered('no-token-accepted GET /aijobskills', 'GET', '/api/aijob', false)).status).toBe(401);
  });
});
