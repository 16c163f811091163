import { createHash } from 'node:crypto';
import type { Contract } from '../../spec/index.ts';
import { VERSION } from '../version.ts';

/** Agents and controllers with the same hash send and judge the same: same version, same operations. */
export function engineHash({ title, version, operations }: Contract): string {
  const text = JSON.stringify([VERSION, title, version, operations.map(({ id }) => id)]);
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
