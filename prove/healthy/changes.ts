import { isObject, mapValues } from '../../spec/json.ts';
import { parsed, succeeded, withJson } from '../proxy/reply.ts';
import type { Call, Make, Reply } from '../proxy/message.ts';
import { served } from '../proxy/call.ts';

/** Changes every object of a JSON value, the innermost first. */
export function objects(value: unknown, change: (object: Record<string, unknown>) => Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => objects(item, change));
  return isObject(value) ? change(mapValues(value, (member) => objects(member, change))) : value;
}

/** Changes every member of every object of a JSON value. */
export const eachMember =
  (change: (value: unknown, name: string) => unknown) =>
  (value: unknown): unknown =>
    objects(value, (object) => mapValues(object, (member, name) => change(member, name)));

/** Changes the JSON of every successful response. */
export function everyJson(change: (value: unknown, call: Call) => unknown): Make {
  return () => async (call, next) => {
    const reply = await next();
    const value = parsed(reply);
    return succeeded(reply) && value !== undefined ? withJson(reply, change(value, call)) : reply;
  };
}

export function every(change: (reply: Reply, call: Call) => Reply | Promise<Reply>): Make {
  return () => async (call, next) => change(await next(), call);
}

/** Answers requests with the full token that meet a condition with `reply` instead of the service. */
export const refuse =
  (when: (call: Call) => boolean, reply: Reply): Make =>
  () =>
  (call, next) =>
    served(call) && call.route !== undefined && when(call) ? reply : next();
