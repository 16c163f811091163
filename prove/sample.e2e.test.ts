import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import type * as prover from './index.ts';
import { loadContract } from '../spec/index.ts';
import type { CheckName } from '../spec/index.ts';
import { PROOFS } from './defects/proofs.ts';
import type { Proof } from './defects/proofs.ts';

const BUILT = join(fileURLToPath(new URL('../', import.meta.url)), 'dist/prove/index.js');

it('catches a defect for every check, and passes healthy variations', { timeout: 600_000 }, async () => {
  const { prove, select } = (await import(pathToFileURL(BUILT).href)) as typeof prover;
  const contract = await loadContract();
  const proofs = Object.entries<Proof>(PROOFS).flatMap(([check, proof]) =>
    'catches' in proof ? [{ ...proof, checks: [check as CheckName] }] : [],
  );
  // Each defect is expected by the check that it proves only, and the tests of its proof run first.
  const defects = select(contract, { patterns: [], all: true }).defects.flatMap((defect) =>
    proofs.filter(({ catches }) => catches === defect.name).map(({ checks, by }) => ({ ...defect, checks, first: by })),
  );
  const selection = { defects, healthy: select(contract, { patterns: [] }).healthy };
  expect(selection.defects.length).toBe(proofs.length);
  expect(selection.healthy.flat().length).toBe(5);
  const { problems, score } = await prove(selection, {
    seed: 1,
    workers: 2,
    leastShare: 1,
    healthyOnly: [
      'contract/operations',
      'contract/paging & *accesscontrolpolicies*',
      'contract/paging & GET /aijob/{id}/runs',
      'contract/ordering',
      'contract/forms',
      'state/lifecycle & *accesscontrolpolicies*',
      'state/order',
    ],
    signal: new AbortController().signal,
    onDefect: () => undefined,
    onHealthy: () => undefined,
  });
  expect(score.unmet.map(({ defect }) => defect.name)).toEqual([]);
  expect(problems).toEqual([]);
});
