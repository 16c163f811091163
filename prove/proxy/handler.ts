import { asObject, items, withItems } from './json.ts';
import type { JsonMap } from './json.ts';
import { parsed, succeeded, withJson } from './reply.ts';
import { hit } from './call.ts';
import type { CallPattern } from './call.ts';
import type { Call, Context, Handler, Make, Next, Outgoing, Reply } from './message.ts';

export { setTimeout as wait } from 'node:timers/promises';

type Change<T> = (value: T, call: Call, context: Context) => T | Promise<T>;

/** What else is done about a request and its response. */
type More = (call: Call, context: Context, reply: Reply) => unknown;

/** Handles a selected request. */
export type Handles = (call: Call, next: Next, context: Context) => Promise<Reply> | Reply;

/** What is done with the requests at a place; the others pass through. */
export function at(place: CallPattern) {
  const handles =
    (handler: Handles): Make =>
    (context): Handler =>
    (call, next) =>
      hit(call, place) ? handler(call, next, context) : next();
  /** Changes responses, whatever their status. */
  const replies = (change: Change<Reply>): Make =>
    handles(async (call, next, context) => change(await next(), call, context));
  /** Changes successful responses. */
  const successes = (change: Change<Reply>): Make =>
    replies((reply, call, context) => (succeeded(reply) ? change(reply, call, context) : reply));
  /** Changes the JSON of successful responses. */
  const rewrites = (change: Change<unknown>): Make =>
    successes(async (reply, call, context) => {
      const value = parsed(reply);
      return value === undefined ? reply : withJson(reply, await change(value, call, context));
    });
  const afterwards = (fits: (reply: Reply) => boolean, more: More): Make =>
    replies(async (reply, call, context) => {
      if (fits(reply)) await more(call, context, reply);
      return reply;
    });
  return {
    handles,
    replies,
    successes,
    rewrites,
    /** Changes the items of successful list responses. */
    relists: (change: Change<readonly unknown[]>): Make =>
      rewrites(async (value, call, context) => withItems(value, await change(items(value), call, context))),
    /** Does something more after a success. */
    also: (more: More): Make => afterwards(succeeded, more),
    /** Does something more after a refusal: a status from 400 to 499. */
    thoughRefused: (more: More): Make => afterwards(({ status }) => status >= 400 && status < 500, more),
    /** Changes responses with a status. */
    whenStatus: (status: number, change: Change<Reply>): Make =>
      replies((reply, call, context) => (reply.status === status ? change(reply, call, context) : reply)),
    /** Changes requests before they are passed on; undefined leaves a request as it is. */
    requests: (change: (call: Call) => Partial<Outgoing> | undefined): Make =>
      handles((call, next) => next(change(call))),
  };
}

/** The item at a path of the service; empty where there is none. */
export async function itemAt(context: Context, path: string): Promise<JsonMap> {
  return asObject(parsed(await context.send('GET', path)));
}

/** The items of the list at a path of the service, with its query. */
export async function listAt(context: Context, path: string): Promise<readonly unknown[]> {
  return items(parsed(await context.send('GET', path)));
}
