import { asObject, items, withItems } from './json.ts';
import type { JsonMap } from './json.ts';
import { parsed, succeeded, withJson } from './reply.ts';
import { hit } from './call.ts';
import type { CallPattern } from './call.ts';
import type { Call, Context, Handler, Make, Next, Outgoing, Reply } from './message.ts';

export { setTimeout as wait } from 'node:timers/promises';

/** Handles the selected requests; passes the others through. */
export function at(
  place: CallPattern,
  handler: (call: Call, next: Next, context: Context) => Promise<Reply> | Reply,
): Make {
  return (context): Handler =>
    (call, next) =>
      hit(call, place) ? handler(call, next, context) : next();
}

/** Changes responses, whatever their status. */
export function replies(place: CallPattern, change: (reply: Reply, call: Call) => Reply): Make {
  return at(place, async (call, next) => change(await next(), call));
}

/** Changes the JSON of successful responses. */
export function rewrite(place: CallPattern, change: (value: unknown, call: Call) => unknown): Make {
  return replies(place, (reply, call) => {
    const value = parsed(reply);
    return succeeded(reply) && value !== undefined ? withJson(reply, change(value, call)) : reply;
  });
}

/** Changes successful responses. */
export function successes(place: CallPattern, change: (reply: Reply, call: Call) => Reply): Make {
  return replies(place, (reply, call) => (succeeded(reply) ? change(reply, call) : reply));
}

export function whenStatus(place: CallPattern, status: number, change: (reply: Reply, call: Call) => Reply): Make {
  return replies(place, (reply, call) => (reply.status === status ? change(reply, call) : reply));
}

/** Changes requests before they are passed on; undefined leaves a request as it is. */
export function requests(place: CallPattern, change: (call: Call) => Partial<Outgoing> | undefined): Make {
  return at(place, (call, next) => next(change(call)));
}

/** Changes the items of successful list responses. */
export function relist(place: CallPattern, change: (list: readonly unknown[], call: Call) => readonly unknown[]): Make {
  return rewrite(place, (value, call) => withItems(value, change(items(value), call)));
}

/** The item at a path of the service; empty where there is none. */
export async function itemAt(context: Context, path: string): Promise<JsonMap> {
  return asObject(parsed(await context.send('GET', path)));
}

/** The items of the list at a path of the service, with its query. */
export async function listAt(context: Context, path: string): Promise<readonly unknown[]> {
  return items(parsed(await context.send('GET', path)));
}
