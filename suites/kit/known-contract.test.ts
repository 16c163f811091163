import { expect, test } from 'vitest';
import { loadContract, packContract, unpackContract } from '../../spec/index.ts';
import { compileAhead, contractFrom } from './known-contract.ts';

test('the contract that was compiled ahead serves a run with the same contract, however often it was packed', async () => {
  const packed = packContract(await loadContract());
  await compileAhead(Buffer.from(packContract(unpackContract(packed))), () => false);
  const again = Buffer.from(packContract(unpackContract(packed)));
  expect(contractFrom(again)).toBe(contractFrom(again));
  const { operations, ...rest } = unpackContract(packed);
  const other = Buffer.from(packContract({ ...rest, operations: operations.slice(1) }));
  expect(contractFrom(other).operations).toHaveLength(operations.length - 1);
});
