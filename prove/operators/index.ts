import { CONTENT_OPERATORS } from './content.ts';
import { IDENTITY_OPERATORS } from './identity.ts';
import { LIST_OPERATORS } from './lists.ts';
import { FILTER_OPERATORS } from './filters.ts';
import { STORED_OPERATORS } from './stored.ts';
import { READ_OPERATORS } from './reads.ts';
import { PARENT_OPERATORS } from './parents.ts';
import { OVERLAP_READ_OPERATORS } from './overlap-reads.ts';
import type { Operator } from './operator.ts';
import { OVERLAP_OPERATORS } from './overlaps.ts';
import { SEQUENCE_OPERATORS } from './sequences.ts';
import { STATUS_OPERATORS } from './statuses.ts';
import { VALUE_OPERATORS } from './values.ts';
import { WRITE_OPERATORS } from './writes.ts';

export const OPERATORS = {
  ...STATUS_OPERATORS,
  ...CONTENT_OPERATORS,
  ...IDENTITY_OPERATORS,
  ...LIST_OPERATORS,
  ...VALUE_OPERATORS,
  ...WRITE_OPERATORS,
  ...SEQUENCE_OPERATORS,
  ...OVERLAP_OPERATORS,
  ...FILTER_OPERATORS,
  ...STORED_OPERATORS,
  ...READ_OPERATORS,
  ...PARENT_OPERATORS,
  ...OVERLAP_READ_OPERATORS,
} as const satisfies Record<string, Operator>;
