import type { Answer } from '../http/answer.ts';
import type { Call, Handler, Wrap } from '../http/call.ts';
import type { Tokens } from '../http/identity.ts';
import { isFields } from '../model/shape.ts';
import type { Fields } from '../model/shape.ts';

/** `published`: violates only what is known beyond the document, or inferred from it, so that it is a warning. */
export type FaultArea = 'contract' | 'state' | 'overlap' | 'published';

/** The behaviour of a fault in a running service. */
export interface FaultBehaviour {
  readonly outer?: Wrap;
  readonly inner?: Wrap;
}

/** A named defect that needs the internals of the service; off by default. */
export interface Fault {
  readonly title: string;
  /** The requirement that it violates, in one sentence. */
  readonly breaks: string;
  readonly area: FaultArea;
  /** Operations that show it, as `METHOD /path` after the form; empty: all of them. */
  readonly operations: readonly string[];
  /** Creates the defect for one running service. */
  readonly create: (tokens: Tokens) => FaultBehaviour;
}

/** Describes a fault by what shows it. The defect works in `touches`, or else in the operations that show it. */
const describing = (area: FaultArea) => (title: string, breaks: string, operations: readonly string[]) => {
  const made = (create: Fault['create'], touches: readonly string[]): Fault => ({
    title,
    breaks,
    area,
    operations,
    create: (tokens) => only(new Set(touches), create(tokens)),
  });
  return {
    /** Wraps the whole pipeline: sees the request as sent, and every response. */
    outer: (create: (tokens: Tokens) => Wrap, touches = operations) =>
      made((tokens) => ({ outer: create(tokens) }), touches),
    /** Wraps the handler: runs after token, parameters and body are checked. */
    inner: (create: () => Wrap, touches = operations) => made(() => ({ inner: create() }), touches),
  };
};

export const contract = describing('contract');
export const state = describing('state');
export const overlap = describing('overlap');
export const published = describing('published');

function only(operations: ReadonlySet<string>, { outer, inner }: FaultBehaviour): FaultBehaviour {
  const limited =
    (wrap: Wrap): Wrap =>
    (call: Call, next: Handler) =>
      call.operation !== undefined && operations.has(call.operation.id) ? wrap(call, next) : next(call);
  return {
    ...(outer === undefined ? {} : { outer: limited(outer) }),
    ...(inner === undefined ? {} : { inner: limited(inner) }),
  };
}

/** Changes the request before it is served. */
export const before =
  (change: (call: Call) => void): Wrap =>
  (call, next) => {
    change(call);
    return next(call);
  };

/** Changes every success. */
export const afterSuccess =
  (change: (answer: Answer, call: Call) => Answer): Wrap =>
  async (call, next) => {
    const answer = await next(call);
    return answer.status < 300 ? change(answer, call) : answer;
  };

/** Does something more after a success. */
export const afterwards = (effect: (call: Call) => void): Wrap =>
  afterSuccess((answer, call) => {
    effect(call);
    return answer;
  });

export const body = (change: (body: unknown, call: Call) => unknown): Wrap =>
  afterSuccess((answer, call) => ({ ...answer, body: change(answer.body, call) }));

/** Changes every item of a success: of an array or a page, or the object itself. */
export function items(change: (item: Fields, call: Call) => unknown): Wrap {
  return body((value, call) => {
    const each = (item: unknown) => (isFields(item) ? change(item, call) : item);
    if (Array.isArray(value)) return value.map(each);
    if (isFields(value) && Array.isArray(value['data'])) return { ...value, data: value['data'].map(each) };
    return each(value);
  });
}

/** The parsed body as an object; empty where it is none. */
export const fields = (call: Call): Fields => (isFields(call.body) ? call.body : {});

/** An id of the path, in lower case. */
export const id = (call: Call): string => (call.params['id'] ?? '').toLowerCase();

/** A pause in which other requests are served. */
export const pause = (milliseconds = 10): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
