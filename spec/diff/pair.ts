import type { Operation } from '../contract.ts';
import type { Comparison } from './schema/walk.ts';

/** Two versions of one operation. */
export interface OperationPair {
  readonly a: Operation;
  readonly b: Operation;
}

/** What comparing operations needs to know. */
export type Setting = Comparison;
