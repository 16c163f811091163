import {
  anything,
  blank,
  dictionary,
  flag,
  filledText,
  int32,
  lazy,
  list,
  matching,
  moment,
  nullable,
  record,
  text,
  uuid,
} from './shape.ts';
import type { Shape } from './shape.ts';
import { RULE_ACTIONS } from '../world/rule-actions.ts';

/** What the service keeps of each item. */
export interface Stored {
  id: string;
  createdAt: string;
  createdBy: string;
  modifiedAt: string | null;
  modifiedBy: string | null;
}

/** Access control policy without `order`, which is computed from the processing order. */
export interface Policy extends Stored {
  name: string | null;
  description: string | null;
  organizationId: string;
  condition: unknown;
  rules: unknown;
  isActive: boolean;
  requiresAttention: boolean;
}

export interface PolicyView extends Policy {
  order: number;
}

/** The fields of a policy that clients set. */
export type PolicyInput = Partial<Pick<Policy, 'name' | 'description' | 'condition' | 'rules'>>;

export interface PolicyOrdering {
  id?: string;
  name?: string | null;
  order?: number;
}

/** Default of ids. */
export const NO_ID = '00000000-0000-0000-0000-000000000000';

/** Default condition of a policy: always true. */
export const NO_CONDITION = {
  objectTypeId: NO_ID,
  condition: null,
  field: null,
  id: NO_ID,
  operator: NO_ID,
  type: null,
  rules: [],
  value: [],
} as const;

export const filterRule: Shape = record({
  objectTypeId: uuid,
  condition: nullable(matching(/^(?:and|or)?$/i, 'Must be AND or OR.')),
  field: nullable(text),
  id: uuid,
  operator: uuid,
  type: nullable(text),
  rules: nullable(list(lazy(() => filterRule))),
  value: nullable(list(anything)),
});

const ruleProperty = record({
  name: nullable(text),
  type: nullable(text),
  kind: int32(0, 8),
  friendlyType: nullable(text),
  friendlyName: nullable(text),
  defaultValue: nullable(text),
  value: anything,
  isStringOnly: flag,
  excludedProperties: nullable(list(text)),
  isRequired: flag,
});

const actionTypes = RULE_ACTIONS.map(({ type }) => type.replaceAll('.', String.raw`\.`)).join('|');

const ruleAction = record({
  name: nullable(text),
  type: nullable(matching(new RegExp(`^(?:${actionTypes})$`), 'Must be the type of a registered action.')),
  supportsPreview: flag,
  properties: nullable(list(ruleProperty)),
});

const audited = { createdAt: moment, createdBy: nullable(text), modifiedAt: blank(moment), modifiedBy: nullable(text) };

const policyRule = record(
  {
    ...audited,
    name: filledText,
    id: blank(uuid),
    description: nullable(text),
    organizationId: uuid,
    type: nullable(text),
    order: int32(),
    isActive: flag,
    conditions: filterRule,
    actions: nullable(list(ruleAction)),
  },
  ['name'],
);

export const policyShape = record({
  ...audited,
  name: nullable(text),
  description: nullable(text),
  id: uuid,
  organizationId: uuid,
  condition: filterRule,
  rules: nullable(list(policyRule)),
  isActive: flag,
  order: int32(),
  requiresAttention: flag,
});

export const orderingShape = list(record({ id: uuid, name: nullable(text), order: int32() }));

export const metadataShape = nullable(dictionary(text));
