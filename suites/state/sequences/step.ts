import type { AsyncCommand } from 'fast-check';
import type { Exchange, Form, Identity } from '../../../spec/index.ts';
import { allowed, narrow, setOrder, tell, withoutDeleted } from '../../oracle/index.ts';
import type { Kind, Request } from '../../oracle/index.ts';
import type { Place } from './arrangements.ts';
import { placed } from './arrangements.ts';
import type { Act } from './blame.ts';
import { lookAround, told } from './look.ts';
import type { Look } from './look.ts';
import { putOrder } from './ordering.ts';
import { Departure, Halt } from './real.ts';
import type { Model, Real } from './real.ts';
import { answerOf, askFor, newContent, operationIdFor } from './subject.ts';
import type { Subject } from './subject.ts';

/** Slots below this one are of what is still there. */
const ANY = 8;

/** How many slots there are. */
export const SLOTS = 10;

/** A command as it was generated. */
export interface Plan {
  readonly kind: Kind | 'create' | 'set-order';
  /** Which of the run's own that are there, modulo how many they are; from {@link ANY} on, of all, also of the deleted. */
  readonly slot: number;
  /** Index of the form, modulo how many the operation has. */
  readonly form: number;
  readonly identity: Identity;
  readonly look: { readonly form: number; readonly list: Look['list'] };
  readonly place?: Place;
}

/** One call of a sequence, and the looks after it. */
export class Step implements AsyncCommand<Model, Real> {
  readonly plan: Plan;

  constructor(plan: Plan) {
    this.plan = plan;
  }

  check({ subjects }: Readonly<Model>): boolean {
    return subjects.length > 0 && (this.plan.kind !== 'create' || subjects.length < 5);
  }

  async run(model: Model, real: Real): Promise<void> {
    const act = await this.#act(model, real);
    const { look } = this.plan;
    const forms = act.operation?.forms ?? [];
    const switches = act.kind === 'activate' || act.kind === 'deactivate';
    await lookAround(real, model, act, {
      list: switches && look.list === 'all' ? 'active' : look.list,
      form: forms[look.form % Math.max(1, forms.length)],
    });
  }

  #act(model: Model, real: Real): Promise<Act> {
    if (this.plan.kind === 'create') return this.#create(model, real);
    if (this.plan.kind === 'set-order') return this.#order(model, real);
    return this.#request(model, real, requestOf(this.plan.kind, this.plan));
  }

  async #create(model: Model, real: Real): Promise<Act> {
    const subject = await real.make();
    model.subjects.push(subject);
    real.steps.push(subject.made.created);
    return { kind: 'create', name: 'create', refused: false, operation: subject.made.resource.create, subject };
  }

  async #order(model: Model, real: Real): Promise<Act> {
    const own = model.subjects.filter((each) => each.known.there).map((each) => each.id);
    const set = await putOrder(
      real.t,
      undefined,
      placed(own, this.plan.place ?? ((mine, others) => [...others, ...mine])),
    );
    const [after] = narrow(setOrder(model.order ?? [], set.sent, new Set(set.sent)), {
      status: set.exchange.response?.status ?? 0,
    });
    if (after === undefined) throw new Halt();
    real.steps.push(set.exchange);
    model.order = after;
    const operation = real.t.session.contract.operation(set.exchange.operation);
    return { kind: 'set-order', name: 'setting it', refused: false, ...(operation === undefined ? {} : { operation }) };
  }

  async #request(model: Model, real: Real, request: Request): Promise<Act> {
    const { t, family } = real;
    const { identity, slot, form } = this.plan;
    const there = model.subjects.filter((each) => each.known.there);
    const subjects = slot < ANY && there.length > 0 ? there : model.subjects;
    const subject = subjects[slot % subjects.length];
    const operation = t.session.contract.operation(operationIdFor(family, request.kind) ?? '');
    if (subject === undefined || operation === undefined) throw new Halt();
    const outcomes = allowed(subject.known, request, identity);
    const successOnly = identity === 'full' && outcomes.every((each) => each.status.every((status) => status < 300));
    const chosen: Form | undefined = operation.forms[form % operation.forms.length];
    const exchange = await t.send(operation, {
      ...(await askFor(t, subject, request)),
      identity,
      label: nameOf(this.plan),
      ...(successOnly ? { expect: 'success' } : {}),
      ...(chosen === undefined ? {} : { form: chosen }),
    });
    real.steps.push(exchange);
    const { status } = answerOf(exchange, subject);
    if (t.hasViolation(exchange) || (identity !== 'full' && status < 400)) throw new Halt();
    const [after] = narrow(outcomes, { status });
    if (after === undefined)
      throw new Departure({
        ...blameAnswer(request.kind, subject, status),
        operation,
        expected: tell(outcomes),
        received: told({ status }),
        exchanges: chain(subject, real.steps),
      });
    subject.known = after;
    if (!after.there && model.order !== undefined) model.order = withoutDeleted(model.order, subject.id);
    return { kind: request.kind, name: nameOf(this.plan), refused: status >= 400, operation, subject };
  }

  toString(): string {
    return `${nameOf(this.plan)} ${this.plan.slot}`;
  }
}

function requestOf(kind: Kind, { look }: Plan): Request {
  if (kind === 'update' || kind === 'patch') return { kind, content: newContent() };
  return kind === 'list-active' ? { kind, filterActive: look.list !== 'inactive' } : { kind };
}

function nameOf({ kind, identity }: Plan): string {
  return identity === 'full' ? kind : `${kind} as ${identity}`;
}

function blameAnswer(
  kind: Kind,
  { known }: Subject,
  status: number,
): Pick<Departure['violation'], 'check' | 'cause' | 'message' | 'requirement'> {
  const cause = known.there
    ? `${kind} is answered with ${status}`
    : `${kind} of what was deleted is answered with ${status}`;
  return {
    check: known.there ? 'model-conformance' : 'deleted-is-gone',
    requirement: 'errors.not-found',
    cause,
    message: cause,
  };
}

function chain({ made }: Subject, steps: readonly Exchange[]): readonly Exchange[] {
  return [made.created, ...steps.filter((each) => each.id !== made.created.id)];
}
