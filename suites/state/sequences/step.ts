import type { AsyncCommand } from 'fast-check';
import type { Form, Identity } from '../../../spec/index.ts';
import { allowed, narrow, setOrder, withoutDeleted } from '../../oracle/index.ts';
import type { RequestKind, Request } from '../../oracle/index.ts';
import type { RequestSpec } from '../../kit/context.ts';
import { formAt } from '../define.ts';
import { arrange } from '../order/arrangements.ts';
import type { Arrangement } from '../order/arrangements.ts';
import { putOrder } from '../order/processing-order.ts';
import { checkState } from './check-state.ts';
import type { StateReads } from './check-state.ts';
import { observe, operationFor, requestOf, sendAuthorised, specFor } from './items.ts';
import type { TrackedItem } from './items.ts';
import { StopSequence, ViolationFound } from './model.ts';
import type { Model, Real } from './model.ts';
import { unexpectedStatus } from './violations.ts';
import type { Action } from './violations.ts';

/** Slots below this one select among the existing items, the others among all items, also deleted ones. */
const EXISTING_SLOTS = 8;

/** Number of slots. */
export const SLOTS = 10;

/** Most items of one sequence. */
const MOST_ITEMS = 5;

/** A step as it was generated. */
export interface StepPlan {
  readonly kind: RequestKind | 'create' | 'set-order';
  /** Selects the item: an index modulo the number of items. */
  readonly slot: number;
  /** Index of the form, modulo the number of forms. */
  readonly form: number;
  readonly identity: Identity;
  readonly reads: { readonly form: number; readonly list: StateReads['list'] };
  readonly arrangement?: Arrangement;
}

/** One call of a sequence, and the check of the state after it. */
export class Step implements AsyncCommand<Model, Real> {
  readonly plan: StepPlan;

  constructor(plan: StepPlan) {
    this.plan = plan;
  }

  check({ items }: Readonly<Model>): boolean {
    return items.length > 0 && (this.plan.kind !== 'create' || items.length < MOST_ITEMS);
  }

  async run(model: Model, real: Real): Promise<void> {
    const action = await this.#act(model, real);
    const { form, list } = this.plan.reads;
    const isActivation = action.kind === 'activate' || action.kind === 'deactivate';
    await checkState(real, model, action, {
      list: isActivation && list === 'all' ? 'active' : list,
      form: action.operation === undefined ? undefined : formAt(action.operation, form),
    });
  }

  toString(): string {
    const { kind, identity, slot } = this.plan;
    return `${kind}${identity === 'full' ? '' : ` as ${identity}`} ${slot}`;
  }

  #act(model: Model, real: Real): Promise<Action> {
    const { kind, reads } = this.plan;
    if (kind === 'create') return this.#create(model, real);
    if (kind === 'set-order') return this.#setOrder(model, real);
    return this.#send(model, real, requestOf(kind, reads.list !== 'inactive'));
  }

  async #create(model: Model, real: Real): Promise<Action> {
    const item = await real.create();
    model.items.push(item);
    real.steps.push(item.created);
    return { kind: 'create', isRefused: false, operation: item.resource.create, item };
  }

  async #setOrder(model: Model, real: Real): Promise<Action> {
    const own = model.items.filter(({ known }) => known.exists).map(({ key }) => key);
    const { arrangement = (mine, others) => [...others, ...mine] } = this.plan;
    const { sent, exchange } = await putOrder(real.t, undefined, (ids) => arrange(ids, own, arrangement));
    const outcomes = setOrder(model.order ?? [], sent, new Set(sent));
    const [after] = narrow(outcomes, { status: exchange.response?.status ?? 0 });
    const operation = real.t.contract.operation(exchange.operation);
    if (after === undefined || operation === undefined) throw new StopSequence();
    real.steps.push(exchange);
    model.order = after;
    return { kind: 'set-order', isRefused: false, operation };
  }

  async #send(model: Model, real: Real, request: Request): Promise<Action> {
    const { t, family, steps } = real;
    const { identity, form } = this.plan;
    const item = this.#select(model);
    const operation = operationFor(t, family, request.kind);
    if (item === undefined || operation === undefined) throw new StopSequence();
    const outcomes = allowed(item.known, request, identity);
    const mustSucceed = identity === 'full' && outcomes.every(({ status }) => status.every((each) => each < 300));
    const chosen: Form = formAt(operation, form);
    const spec = { ...(await specFor(t, item, request)), identity, label: request.kind, form: chosen };
    const sent: RequestSpec = { ...spec, ...(mustSucceed ? { expect: 'success' } : {}) };
    const exchange = await (identity === 'full' ? sendAuthorised(t, operation, sent) : t.send(operation, sent));
    steps.push(exchange);
    const { status } = observe(exchange, item);
    if (t.isUnusable(exchange) || (identity !== 'full' && status < 400)) throw new StopSequence();
    const [after] = narrow(outcomes, { status });
    if (after === undefined) {
      throw new ViolationFound(unexpectedStatus(operation, item, item.known, status, { outcomes, steps }));
    }
    item.known = after;
    if (!after.exists && model.order !== undefined) model.order = withoutDeleted(model.order, item.key);
    return { kind: request.kind, isRefused: status >= 400, operation, item };
  }

  #select({ items }: Model): TrackedItem | undefined {
    const { slot } = this.plan;
    const existing = items.filter(({ known }) => known.exists);
    const selectable = slot < EXISTING_SLOTS && existing.length > 0 ? existing : items;
    return selectable[slot % selectable.length];
  }
}
