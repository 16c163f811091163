import { createHash } from 'node:crypto';
import type { Contract } from '../../spec/index.ts';
import { VERSION } from '../version.ts';

/** Tells builds and descriptions apart that would not send or judge the same. */
export function engineHash({ title, version, operations }: Contract): string {
  const text = JSON.stringify([VERSION, title, version, operations.map(({ id }) => id)]);
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
