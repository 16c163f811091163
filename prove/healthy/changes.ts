import { isObject, mapValues } from '../../spec/json.ts';
import { parsed, problem, succeeded, withJson } from '../proxy/reply.ts';
import type { Call, Make, Reply } from '../proxy/message.ts';
import { served } from '../proxy/call.ts';
import type { OperationId } from '../proxy/call.ts';
import { at } from '../proxy/handler.ts';
import { variation } from './variation.ts';
import type { Variation } from './variation.ts';

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

export const eachReply = (name: string, why: string, change: Parameters<typeof every>[0]): Variation =>
  variation(name, why, every(change));

/** The JSON of every successful response is changed. */
export const eachJson = (name: string, why: string, change: Parameters<typeof everyJson>[0]): Variation =>
  variation(name, why, everyJson(change));

/** Requests with the full token that meet a condition are refused. */
export const refusal = (name: string, why: string, status: number, when: (call: Call) => boolean): Variation =>
  variation(name, why, refuse(when, problem(status)));

/** Requests with the full token to some operations are handled in another way. */
export const handled = (
  name: string,
  why: string,
  op: OperationId | readonly OperationId[],
  handler: Parameters<typeof at>[1],
): Variation => variation(name, why, at({ op, when: served }, handler));
