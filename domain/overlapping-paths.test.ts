import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadContract } from '../spec/index.ts';
import { addressesOtherOperation } from './overlapping-paths.ts';
import { emptyDirectory } from '../spec/testing/empty-directory.ts';

test('a value that is a fixed segment of another path addresses that operation', async () => {
  const get = { get: { responses: { 200: { description: 'OK' } } } };
  const file = join(emptyDirectory(), 'spec.json');
  writeFileSync(
    file,
    JSON.stringify({
      openapi: '3.0.0',
      info: { title: 'T', version: '1' },
      paths: {
        '/keys/{key}': get,
        '/keys/global': get,
        '/keys/{key}/parts/{part}': get,
        '/keys/global/parts/{part}': get,
      },
    }),
  );
  const contract = await loadContract(file);
  const addressesOther = (id: string, values: Record<string, string>): boolean => {
    const operation = contract.operation(id);
    return operation !== undefined && addressesOtherOperation(contract, operation, values);
  };
  expect([
    addressesOther('GET /keys/{key}', { key: 'Global' }),
    addressesOther('GET /keys/{key}', { key: 'other' }),
    addressesOther('GET /keys/global', {}),
    addressesOther('GET /keys/{key}/parts/{part}', { key: 'global', part: '1' }),
    addressesOther('GET /keys/global/parts/{part}', { part: '1' }),
  ]).toEqual([true, false, false, true, false]);
});
