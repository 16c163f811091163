import type { Answer } from '../http/answer.ts';
import type { Call, Wrap } from '../http/call.ts';
import { problem } from '../http/refusal.ts';
import { isFields } from '../model/shape.ts';
import type { Fields } from '../model/shape.ts';

/** Changes the request before it is served. */
export function before(change: (call: Call) => void): Wrap {
  return (call, next) => {
    change(call);
    return next(call);
  };
}

/** Changes every answer. */
export function after(change: (answer: Answer, call: Call) => Answer): Wrap {
  return async (call, next) => change(await next(call), call);
}

/** Changes what is answered with success. */
export function afterSuccess(change: (answer: Answer, call: Call) => Answer): Wrap {
  return after((answer, call) => (answer.status < 300 ? change(answer, call) : answer));
}

/** Turns one status into another. */
export function turning(from: number, to: number): Wrap {
  return after((answer) => (answer.status === from ? refused(to) : answer));
}

/** Answers a status where the request is of a kind. */
export function refusing(status: number, when: (call: Call) => boolean): Wrap {
  return (call, next) => (when(call) ? refused(status) : next(call));
}

/** Cuts the connection where the request is of a kind. */
export function cutting(when: (call: Call) => boolean): Wrap {
  return (call, next) => (when(call) ? { status: 500, cut: true } : next(call));
}

/** Problem details, as the healthy service writes them. */
export function refused(status: number): Answer {
  return problem(status, 'The request was refused.');
}

/** Changes the body of a success. */
export function body(change: (body: unknown, call: Call) => unknown): Wrap {
  return afterSuccess((answer, call) => ({ ...answer, body: change(answer.body, call) }));
}

/** Changes every item of a success: of an array, of a paginated answer, or the object itself. */
export function items(change: (item: Fields, call: Call) => unknown): Wrap {
  return body((value, call) => {
    const each = (item: unknown) => (isFields(item) ? change(item, call) : item);
    if (Array.isArray(value)) return value.map(each);
    if (isFields(value) && Array.isArray(value['data'])) return { ...value, data: value['data'].map(each) };
    return each(value);
  });
}

/** Sets a query parameter before the request is served. */
export function query(name: string, value: (given: string | undefined, call: Call) => string | undefined): Wrap {
  return before((call) => {
    call.query = call.query.with(name, value(call.query.text(name), call));
  });
}

/** Leaves a query parameter out. */
export function ignoring(name: string): Wrap {
  return query(name, () => undefined);
}

/** The parsed body as an object; empty where it is none. */
export function fields(call: Call): Fields {
  return isFields(call.body) ? call.body : {};
}

/** Replaces a text member of the body. */
export function retext(name: string, change: (text: string) => string): Wrap {
  return before((call) => {
    const given = fields(call)[name];
    if (typeof given === 'string') call.body = { ...fields(call), [name]: change(given) };
  });
}

/** A string as it is, anything else as an empty one. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A copy without one member. */
export function omit(item: Fields, name: string): Fields {
  return Object.fromEntries(Object.entries(item).filter(([key]) => key !== name));
}

/** An id of the path, in lower case. */
export function id(call: Call, name = 'id'): string {
  return (call.params[name] ?? '').toLowerCase();
}

/** A pause in which other requests are served. */
export function pause(milliseconds = 10): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
