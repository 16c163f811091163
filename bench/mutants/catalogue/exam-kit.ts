import { answers, asList, asObject, at, isUuid, parsed, problem, succeeded, withBody } from '../kit.ts';
import type { JsonMap, Where } from '../kit.ts';
import type { Call, Make, Mutant } from '../types.ts';
import { area } from '../define.ts';
import { BACK, needsOf, str, where } from './fresh-kit.ts';
import type { Test } from './fresh-kit.ts';
import { itself } from './parts.ts';

export const define = area('exam');

/** The mutant as one of the exam. */
export function exam(mutant: Mutant): Mutant {
  return { ...mutant, name: `exam.${mutant.name.slice(mutant.name.indexOf('.') + 1)}`, area: 'exam' };
}

/** What an update stores depends on what the item held: undefined stores what was sent. */
export function depends(
  mutant: string,
  op: string,
  read: readonly string[],
  change: (body: JsonMap, old: JsonMap) => JsonMap | undefined,
): Mutant {
  return define(
    mutant,
    BACK,
    [op, ...read],
    at(
      where([op], (body) => Object.keys(body).length > 0),
      async (call, next, context) => {
        const after = change(asObject(call.json), asObject(parsed(await context.ask('GET', itself(call)))));
        return next(after === undefined ? undefined : withBody(after));
      },
    ),
    needsOf([op]),
  );
}

/** Answers 500 to a good request because of what the item held. */
export function tripsOver(
  mutant: string,
  breaks: string,
  op: string,
  test: (call: Call, old: JsonMap) => boolean,
): Mutant {
  return define(
    mutant,
    breaks,
    op,
    at(
      where([op], () => true),
      async (call, next, context) => {
        const old = asObject(parsed(await context.ask('GET', itself(call))));
        const reply = await next();
        return succeeded(reply) && test(call, old) ? problem(500) : reply;
      },
    ),
    needsOf([op]),
  );
}

/** Answers 500 to whatever the service answers below that. */
export function falls(place: Where): Make {
  return answers(place, (reply) => (reply.status < 500 && reply.status !== 404 ? problem(500) : reply));
}

export const malformedUuid: Test = (body) =>
  ['endpointId', 'aiAgentId'].some((key) => typeof body[key] === 'string' && body[key] !== '' && !isUuid(body[key]));
export const operations = (call: Call): readonly JsonMap[] => asList(call.json).map(asObject);
/** The key of the metadata that an operation's pointer names; none where it has escapes. */
export const keyOf = (operation: JsonMap): string => /^\/metadata\/([^/~]+)$/.exec(str(operation['path']))?.[1] ?? '';
export const has = (value: unknown, key: string): boolean => key !== '' && Object.hasOwn(asObject(value), key);
/** A string of the job that an operation's pointer names. */
export const stringAt = (job: JsonMap, operation: JsonMap): string =>
  str(keyOf(operation) === '' ? job[str(operation['path']).slice(1)] : asObject(job['metadata'])[keyOf(operation)]);
export const sameButForCase = (a: string, b: string): boolean => a !== b && a.toLowerCase() === b.toLowerCase();
