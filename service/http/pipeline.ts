import { readJson } from '../json/read.ts';
import { isUuid } from '../model/shape.ts';
import type { World } from '../world/world.ts';
import type { Answer } from './answer.ts';
import type { Call, Handler, Operation, Wrap } from './call.ts';
import { authorise } from './identity.ts';
import type { Identities } from './identity.ts';
import { isAccepted } from './media.ts';
import { Refusal, answerFor, badRequest } from './refusal.ts';

/** Middleware; the first wrapper is the outermost. */
export interface Layers {
  /** Wraps the whole pipeline: sees the original request and every response. */
  readonly outer: readonly Wrap[];
  /** Wraps the handler: runs after token, parameters and body are checked. */
  readonly inner: readonly Wrap[];
}

/** Creates the pipeline: route, token, parameters, body, handler; then changes are made durable. */
export function createPipeline(
  identities: Identities,
  refuse: Handler,
  layers: Layers,
  otherWorld: () => World,
): Handler {
  const handle = wrapped(
    layers.inner,
    guard(async (call) => {
      const answer = await (call.operation as Operation).handle(call);
      await call.world.journal.settled();
      return answer;
    }),
  );
  const admit = guard((call) => {
    const { operation } = call;
    if (operation === undefined) return refuse(call);
    call.identity = authorise(identities, operation.permission, call.authorization);
    if (call.identity?.otherTenant === true) call.world = otherWorld();
    checkIds(call);
    if (operation.body) call.body = readBody(call);
    return handle(call);
  });
  return layers.outer.length === 0 ? admit : guard(wrapped(layers.outer, admit));
}

function wrapped(wraps: readonly Wrap[], handler: Handler): Handler {
  return wraps.reduceRight<Handler>((next, wrap) => (call) => wrap(call, next), handler);
}

/** Converts errors to responses. */
function guard(handler: Handler): Handler {
  return async (call): Promise<Answer> => {
    try {
      return await handler(call);
    } catch (error) {
      return answerFor(error);
    }
  };
}

function checkIds(call: Call): void {
  for (const name in call.params) {
    if (name !== 'type' && !isUuid(call.params[name]))
      throw badRequest(`'${name}' is not a uuid.`, { [name]: ['Must be a uuid.'] });
  }
}

const NO_BODY = Buffer.alloc(0);

/** Deeper bodies are rejected: they could not be serialised. */
const MAX_DEPTH = 200;

function readBody(call: Call): unknown {
  if (call.contentType === undefined && (call.raw ?? NO_BODY).length === 0) throw badRequest('A body is required.');
  if (!isAccepted(call.contentType)) throw new Refusal(415, 'The Content-Type is not supported.');
  let body: unknown;
  try {
    body = readJson(call.raw ?? NO_BODY);
  } catch {
    throw badRequest('The body is not JSON.', { $: ['Is not valid JSON.'] });
  }
  if (isDeeperThan(MAX_DEPTH, body)) throw badRequest(`The body is nested deeper than ${MAX_DEPTH} levels.`);
  return body;
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const key in value) {
    if (isDeeperThan(levels - 1, (value as Record<string, unknown>)[key])) return true;
  }
  return false;
}
