import type { Policy, PolicyInput, PolicyView } from '../model/policy.ts';
import { NO_CONDITION } from '../model/policy.ts';
import type { Journal } from './table.ts';
import { Table } from './table.ts';
import { ORGANIZATION } from './organization.ts';

interface OrderRow {
  readonly ids: readonly string[];
}

/** The policies and their processing order. Ids are in lower case. */
export class Policies {
  readonly #rows: Table<Policy>;
  readonly #order: Table<OrderRow>;
  /** Positions in the order by id, until the order changes. */
  #places: ReadonlyMap<string, number> | undefined;

  constructor(journal: Journal) {
    this.#rows = new Table('policies', journal);
    this.#order = new Table('order', journal);
  }

  /** Ids in processing order. */
  order(): readonly string[] {
    return this.#order.get('policies')?.ids ?? [];
  }

  /** Replaces the processing order without validation. */
  setOrder(ids: readonly string[]): void {
    this.#order.set('policies', { ids });
    this.#places = undefined;
  }

  has(id: string): boolean {
    return this.#rows.has(id);
  }

  /** A stored policy; `view` adds its position, which takes long after each change of the order. */
  get(id: string): Policy | undefined {
    return this.#rows.get(id);
  }

  /** The stored policies in processing order. */
  rows(): Policy[] {
    return this.order().flatMap((id) => this.#rows.get(id) ?? []);
  }

  /** A stored policy with its position in the processing order. */
  view(row: Policy): PolicyView {
    this.#places ??= new Map(this.order().map((id, place) => [id, place]));
    return { ...row, order: this.#places.get(row.id) ?? -1 };
  }

  /** Every policy in processing order. */
  list(): PolicyView[] {
    return this.rows().map((row) => this.view(row));
  }

  create(id: string, input: PolicyInput, userId: string): Policy {
    const policy: Policy = {
      id,
      name: input.name ?? null,
      description: input.description ?? null,
      organizationId: ORGANIZATION,
      createdAt: new Date().toISOString(),
      createdBy: userId,
      modifiedAt: null,
      modifiedBy: null,
      condition: input.condition ?? NO_CONDITION,
      rules: input.rules ?? null,
      isActive: false,
      requiresAttention: false,
    };
    this.#rows.set(id, policy);
    this.setOrder([...this.order(), id]);
    return policy;
  }

  /** Changes some fields of a policy. */
  merge(id: string, changes: Partial<Policy>): void {
    this.#rows.merge(id, changes);
  }

  delete(id: string): boolean {
    if (!this.#rows.delete(id)) return false;
    this.setOrder(this.order().filter((other) => other !== id));
    return true;
  }
}
