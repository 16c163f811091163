import { isObject } from '../../../spec/index.ts';
import type { Exchange, Form } from '../../../spec/index.ts';
import { allowed, narrow, tell } from '../../oracle/index.ts';
import type { Answer, Request } from '../../oracle/index.ts';
import { idOf, sameId } from '../../../domain/items.ts';
import type { Violation } from '../../kit/context.ts';
import { pageWith, walk } from '../../../domain/read-list.ts';
import { lookAtOrder } from './ordering.ts';
import { persists } from './patience.ts';
import { blameFor } from './blame.ts';
import type { Act } from './blame.ts';
import { Departure } from './real.ts';
import { lookAtRuns } from './runs.ts';
import type { Model, Real } from './real.ts';
import { answerOf, askFor, contentOf, operationIdFor } from './subject.ts';
import type { Subject } from './subject.ts';
import { filterShowsState } from '../../../domain/builtin/activation.ts';

/** One look at what an act left. */
export interface Look {
  readonly form: Form | undefined;
  /** Which list is looked at besides the item. */
  readonly list: 'all' | 'active' | 'inactive';
}

/** Looks at the subject, at all subjects in a list, and at the order; throws {@link Departure} where the oracle does not allow what stays to be seen. */
export async function lookAround(real: Real, model: Model, act: Act, look: Look): Promise<void> {
  const violation =
    (act.subject === undefined ? undefined : await lookAtItem(real, act, act.subject, look.form)) ??
    (await lookAtList(real, model, act, look)) ??
    (await lookAtState(real, model, act, look.form)) ??
    (act.subject === undefined ? undefined : await lookAtRuns(real, act, act.subject, look.form)) ??
    (await lookOverOrder(real, model, act, look.form));
  if (violation !== undefined) throw new Departure(violation);
}

function operationFor(
  real: Real,
  kind: Request['kind'],
): NonNullable<ReturnType<Real['t']['session']['contract']['operation']>> {
  const operation = real.t.session.contract.operation(operationIdFor(real.family, kind) ?? '');
  if (operation === undefined) throw new Error(`the description has no operation to ${kind}`);
  return operation;
}

/** Reads the item by its id. */
export function lookAtItem(
  real: Real,
  act: Act,
  subject: Subject,
  form: Form | undefined,
  steps = real.steps,
): Promise<Violation | undefined> {
  const operation = operationFor(real, 'read');
  return persists(
    real.t,
    async () => {
      const exchange = await real.t.send(operation, {
        ...(await askFor(real.t, subject, { kind: 'read' })),
        label: 'read it',
        ...(form === undefined ? {} : { form }),
      });
      const answer = answerOf(exchange, subject);
      return judge(real, act, { subject, request: { kind: 'read' }, answer, exchange, steps });
    },
    real.patienceMs,
  );
}

/** Holds the state that the item tells against the one that the filter finds: where they differ, what the filter says of the act comes first. */
async function lookAtState(real: Real, model: Model, act: Act, form: Form | undefined): Promise<Violation | undefined> {
  const { subject } = act;
  if (real.told === undefined || subject?.known.there !== true || !(await filterShowsState(real.t, real.search)))
    return undefined;
  const operation = operationFor(real, 'read');
  const violation = await persists(
    real.t,
    async () => {
      const exchange = await real.t.send(operation, {
        ...(await askFor(real.t, subject, { kind: 'read' })),
        label: 'read its state',
        ...(form === undefined ? {} : { form }),
      });
      return toldOtherwise(real, act, subject, exchange);
    },
    real.patienceMs,
  );
  return violation === undefined
    ? undefined
    : ((await lookAtList(real, model, act, { form, list: 'active' })) ?? violation);
}

/** Section 3: a policy has a status; the member that tells it, found by watching, must agree with what filterActive finds. */
function toldOtherwise(
  { told, steps }: Real,
  act: Act,
  { known, made }: Subject,
  exchange: Exchange,
): Violation | undefined {
  const json = exchange.response?.json;
  if (told === undefined || known.active === undefined || !isObject(json)) return undefined;
  const [value, wanted] = [json[told.name], known.active ? told.active : told.inactive];
  if (value === undefined || value === wanted) return undefined;
  return {
    check: 'activation',
    requirement: 'policies.status',
    cause: `${told.name} is told otherwise by the item than by the list`,
    message: `after ${act.name} the policy reads as ${told.name} ${JSON.stringify(value)}`,
    expected: `${told.name} ${JSON.stringify(wanted)}, as in lists of ${known.active ? 'active' : 'inactive'} policies`,
    received: JSON.stringify(value),
    exchanges: [made.created, ...steps, exchange],
  };
}

/** Lists, and holds against it every subject; `stepsOf` tells what led to what is seen of one. */
export async function lookAtList(
  real: Real,
  model: Model,
  act: Act,
  { form, list }: Look,
  stepsOf: (subject: Subject) => Real['steps'] = () => real.steps,
): Promise<Violation | undefined> {
  const whole = real.family !== 'createPolicy' || list === 'all' || !(await filterShowsState(real.t, real.search));
  const request: Request = whole ? { kind: 'list' } : { kind: 'list-active', filterActive: list === 'active' };
  const operation = operationFor(real, request.kind);
  return persists(
    real.t,
    async () => {
      const query = {
        ...real.search,
        ...(request.kind === 'list-active' ? { filterActive: request.filterActive } : {}),
      };
      const seen = await walk(real.t, operation, {
        query,
        label: request.kind === 'list-active' ? `filterActive=${request.filterActive}` : 'list',
        ...(form === undefined ? {} : { form }),
      });
      const last = seen?.pages.at(-1);
      if (seen === undefined || last === undefined) return undefined;
      for (const subject of model.subjects) {
        const item = seen.items.find((each) => sameId(idOf(each), subject.id));
        const content = contentOf(item, subject.made.name);
        const answer = { status: 200, listed: item !== undefined, ...(content === undefined ? {} : { content }) };
        const exchange = pageWith(seen, subject.id) ?? last;
        const violation = judge(real, act, { subject, request, answer, exchange, steps: stepsOf(subject) });
        if (violation !== undefined) return violation;
      }
      return undefined;
    },
    real.patienceMs,
  );
}

interface Seen {
  readonly subject: Subject;
  readonly request: Request;
  readonly answer: Answer;
  readonly exchange: Exchange;
  readonly steps: Real['steps'];
}

function judge(real: Real, act: Act, { subject, request, answer, exchange, steps }: Seen): Violation | undefined {
  if (real.t.hasViolation(exchange)) return undefined;
  const outcomes = allowed(subject.known, request);
  if (narrow(outcomes, answer).length > 0) return undefined;
  const contradicts = { ...blameFor(act, { subject, request, answer }), expected: tell(outcomes) };
  return {
    ...contradicts,
    received: told(answer),
    exchanges: [subject.made.created, ...steps.filter((each) => each.id !== subject.made.created.id), exchange],
  };
}

/** An answer in words. */
export function told({ status, content, listed }: Answer): string {
  const membership = listed === undefined ? '' : listed ? ', lists it' : ', does not list it';
  return `${status}${membership}${content === undefined ? '' : `, shows ${content}`}`;
}

async function lookOverOrder(
  real: Real,
  model: Model,
  act: Act,
  form: Form | undefined,
): Promise<Violation | undefined> {
  if (model.order === undefined) return undefined;
  const gone = act.subject?.known.there === false ? { gone: act.subject.id } : {};
  return lookAtOrder(real.t, {
    known: model.order,
    own: new Set(model.subjects.map((each) => each.id)),
    form,
    steps: [...real.steps],
    patienceMs: real.patienceMs,
    ...gone,
    blame: {
      check: 'processing-order',
      cause: `${act.name} changes the processing order`,
      ...(act.operation === undefined ? {} : { operation: act.operation }),
    },
  });
}
