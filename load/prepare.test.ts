import { expect, it } from 'vitest';
import { Skip } from '../domain/context.ts';
import { EFFECTS, EXIT } from '../spec/index.ts';
import type { Contract, Effect, Method, Operation } from '../spec/index.ts';
import { checkOperations, prepareScenario } from './prepare.ts';
import { SCENARIOS } from './scenarios/index.ts';
import { knownOptions, knownScenario } from './testing/known-scenario.ts';

it.each([
  [['read'], EXIT.usage],
  [EFFECTS, EXIT.inconclusive],
] as const)('a set-up that is not possible with the effects %j ends with exit code %i', async (allow, exitCode) => {
  const scenario = knownScenario({ setup: () => Promise.reject(new Skip('no item appears')) });
  const options = { ...knownOptions('http://127.0.0.1:1'), allow: allow as readonly Effect[] };
  await expect(prepareScenario(scenario, options)).rejects.toMatchObject({ exitCode });
});

it('a scenario that the description has no operations for names those that can be run, or how to write one', () => {
  const { contract } = knownOptions('http://127.0.0.1:1');
  const having = (...ids: string[]): Contract => {
    const operations = ids.map((id) => {
      const [method, path] = id.split(' ') as [Method, string];
      return { id, method, path, forms: [{ name: '', path }] } as unknown as Operation;
    });
    return { ...contract, operations, operation: (id) => operations.find((each) => each.id === id) };
  };
  const { mixed } = SCENARIOS;
  const own = having('GET /orders/{id}', 'POST /orders', 'GET /orders');
  const refused = (hint: unknown): unknown =>
    expect.objectContaining({ exitCode: EXIT.usage, message: expect.stringContaining('mixed sends POST /clue'), hint });
  const example = expect.stringMatching(/^No built-in scenario fits .* await get\('\/orders'\)/) as string;
  expect(() => checkOperations([mixed], own)).toThrow(refused(example));
  const policies = having(...(SCENARIOS['paging-walk'].operations ?? []));
  const fitting = 'With this description, use one of: paging-walk, paging-random, policy-writes, forms.';
  expect(() => checkOperations([mixed], policies)).toThrow(refused(fitting));
  expect(() => checkOperations([SCENARIOS.forms, knownScenario()], policies)).not.toThrow();
});
