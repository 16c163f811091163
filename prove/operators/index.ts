import { CONTENT_OPERATORS } from './content.ts';
import { IDENTITY_OPERATORS } from './identity.ts';
import { LIST_OPERATORS } from './lists.ts';
import type { Operator } from './operator.ts';
import { OVERLAP_OPERATORS } from './overlaps.ts';
import { SEQUENCE_OPERATORS } from './sequences.ts';
import { STATUS_OPERATORS } from './statuses.ts';
import { VALUE_OPERATORS } from './values.ts';
import { WRITE_OPERATORS } from './writes.ts';

/** Every mutation operator by name. */
export const OPERATORS = {
  ...STATUS_OPERATORS,
  ...CONTENT_OPERATORS,
  ...IDENTITY_OPERATORS,
  ...LIST_OPERATORS,
  ...VALUE_OPERATORS,
  ...WRITE_OPERATORS,
  ...SEQUENCE_OPERATORS,
  ...OVERLAP_OPERATORS,
} as const satisfies Record<string, Operator>;

export type OperatorName = keyof typeof OPERATORS;
