import { expect, it } from 'vitest';
import type { RequestSpec } from '../../domain/index.ts';
import { loadContract } from '../../spec/index.ts';
import type { Operation } from '../../spec/index.ts';
import { auditPolicies } from './policy-audit.ts';
import type { Acknowledged, ScenarioContext } from './scenario.ts';

const ids = ['id0', 'id1', 'id2', 'id3'];
const acknowledged: Acknowledged = {
  count: 3,
  idWidth: 3,
  ids: () => ids.map((id, index) => ({ id, acknowledged: index !== 3 })),
};

async function contextListing(names: readonly string[]): Promise<ScenarioContext> {
  const contract = await loadContract();
  const operation = (id: string) => contract.operation(id) ?? expect.fail(id);
  const json = names.map((name, index) => ({ id: String(index), name: `policy tag-${name} of ours` }));
  return {
    contract,
    operation,
    settleMs: 0,
    api: {
      contract,
      send: async (_: Operation, { query }: RequestSpec) => ({
        response: { status: 200, json: query?.['page'] === 0 ? json : [] },
      }),
    },
  } as unknown as ScenarioContext;
}

it('an audit accepts what was acknowledged, and what may or may not exist', async () => {
  for (const listed of [ids, ids.slice(0, 3)]) {
    const audit = await auditPolicies(await contextListing(listed), acknowledged, 'tag');
    expect(audit).toMatchObject({ missing: 0, duplicated: 0, present: listed.length });
  }
});

it('an audit finds what was lost and what exists twice', async () => {
  const result = await auditPolicies(await contextListing(['id0', 'id2', 'id2']), acknowledged, 'tag');
  expect(result).toMatchObject({ acknowledged: 3, present: 2, missing: 1, duplicated: 1, examples: ['id1', 'id2'] });
  expect(result.findings).toMatchObject([
    { check: 'created-reads-back', requirement: 'policies.list-has-created', severity: 'violation' },
  ]);
});
