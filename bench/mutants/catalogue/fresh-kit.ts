import { area } from '../define.ts';
import { answers, asList, asObject, asks, at, hit, parsed, problem, succeeded, withBody } from '../kit.ts';
import type { JsonMap, Where } from '../kit.ts';
import type { Call, Handler, Make, Mutant } from '../types.ts';
import { itself } from './parts.ts';

export const define = area('fresh');
export const POLICY = '/accesscontrolpolicies';
export const WRITES = [`POST ${POLICY}`, `PUT ${POLICY}/{id}`] as const;
export const AGENTS = ['POST /aiagent', 'PUT /aiagent/{id}'] as const;
export const JOBS = ['POST /aijob', 'PUT /aijob/{id}'] as const;
export const SET = `POST ${POLICY}/setprocessingorder`;
export const [READ_POLICY, READ_AGENT, READ_JOB] = [
  [`GET ${POLICY}/{id}`],
  ['GET /aiagent/{id}'],
  ['GET /aijob/{id}'],
] as const;
export const FIVE = 'valid requests succeed; 500 is an unexpected server error (section 7)';
export const REFUSED = 'what is malformed or fails validation is 400; 500 is an unexpected server error (section 7)';
export const BACK = 'what is posted is what is stored (section 4)';
export const TWIN = 'both forms behave the same (sections 4 and 9)';
export const MEDIA =
  'bodies are accepted as application/json, application/json-patch+json, text/json or application/*+json (section 4)';

export type Test = (body: JsonMap, call: Call) => boolean;
type Ops = readonly string[];

/** What a run must be allowed to do to meet the mutant. */
export function needsOf(ops: Ops): Mutant['needs'] {
  if (ops.every((op) => op.startsWith('GET'))) return undefined;
  if (ops.includes(SET)) return ['reversible', 'global'];
  return ops.some((op) => /clue|approval|preview|dry-run/i.test(op))
    ? ['reversible', 'global', 'irreversible', 'costly']
    : ['reversible'];
}

export function where(ops: Ops, test: Test, form?: string): Where {
  return {
    op: ops,
    ...(form === undefined ? {} : { form }),
    when: (call) => call.role === 'full' && test(asObject(call.json), call),
  };
}

/** Answers 500 to a valid request that the service can't bear. */
export function trips(mutant: string, ops: Ops, test: Test, form?: string): Mutant {
  return define(
    mutant,
    form === undefined ? FIVE : TWIN,
    ops,
    answers(where(ops, test, form), (reply) => (succeeded(reply) ? problem(500) : reply)),
    needsOf(ops),
  );
}

/** Answers 500 where 400 or 409 was due. */
export function stumbles(mutant: string, ops: Ops, test: Test): Mutant {
  return define(
    mutant,
    REFUSED,
    ops,
    answers(where(ops, test), (reply) => ([400, 409].includes(reply.status) ? problem(500) : reply)),
    needsOf(ops),
  );
}

/** Answers 400 to what the document says is accepted. */
export function refuses(mutant: string, breaks: string, ops: Ops, test: Test, form?: string): Mutant {
  return define(
    mutant,
    breaks,
    ops,
    at(where(ops, test, form), () => problem(400)),
    needsOf(ops),
  );
}

/** Stores something else than what was posted. */
export function mangles(
  mutant: string,
  ops: Ops,
  change: (body: JsonMap) => JsonMap,
  reads: Ops,
  form?: string,
): Mutant {
  const place = where(
    ops,
    (_, call) => typeof call.json === 'object' && call.json !== null && !Array.isArray(call.json),
    form,
  );
  return define(
    mutant,
    form === undefined ? BACK : TWIN,
    [...ops, ...reads],
    asks(place, (call) => {
      const after = change(asObject(call.json));
      return JSON.stringify(call.json) === JSON.stringify(after) ? undefined : withBody(after);
    }),
    needsOf(ops),
  );
}

/** Stores a string member otherwise than it was posted. */
export function edits(
  mutant: string,
  ops: Ops,
  field: string,
  change: (text: string) => string,
  reads: Ops,
  form?: string,
): Mutant {
  return mangles(
    mutant,
    ops,
    (body) => (typeof body[field] === 'string' ? { ...body, [field]: change(body[field]) } : body),
    reads,
    form,
  );
}

/** An update that overlooks members, by the old and the new body. */
export function overlooks(mutant: string, op: string, kept: (body: JsonMap) => readonly string[], read: Ops): Mutant {
  return define(
    mutant,
    BACK,
    [op, ...read],
    at(
      where([op], (body) => kept(body).length > 0),
      async (call, next, context) => {
        const old = asObject(parsed(await context.ask('GET', itself(call))));
        const body = asObject(call.json);
        return next(
          withBody({
            ...body,
            ...Object.fromEntries(
              kept(body)
                .filter((key) => key in old)
                .map((key) => [key, old[key]]),
            ),
          }),
        );
      },
    ),
    ['reversible'],
  );
}

/** Answers 500 to each `nth` good request of those meant. */
export function everyNth(mutant: string, ops: Ops, nth: number, test: Test): Mutant {
  const place = where(ops, test);
  const make: Make = (): Handler => {
    let seen = 0;
    return async (call, next) => {
      const reply = await next();
      if (!hit(call, place) || !succeeded(reply)) return reply;
      seen += 1;
      return seen % nth === 0 ? problem(500) : reply;
    };
  };
  return define(mutant, FIVE, ops, make, needsOf(ops));
}

export const str = (value: unknown): string => (typeof value === 'string' ? value : '');
export const strOf =
  (field: string, test: (text: string) => boolean): Test =>
  (body) =>
    typeof body[field] === 'string' && test(body[field]);
export const hash = (text: string): number => [...Buffer.from(text)].reduce((sum, byte) => (sum * 31 + byte) >>> 0, 7);
export const entries = (body: JsonMap): readonly (readonly [string, unknown])[] =>
  Object.entries(asObject(body['metadata']));
export const keys = (body: JsonMap): readonly string[] => entries(body).map(([key]) => key);
export const withEntries =
  (change: (all: readonly (readonly [string, unknown])[]) => readonly (readonly [string, unknown])[]) =>
  (body: JsonMap): JsonMap =>
    entries(body).length === 0 ? body : { ...body, metadata: Object.fromEntries(change(entries(body))) };
export const sources = (body: JsonMap): readonly JsonMap[] => asList(body['dataSources']).map(asObject);
export const raw = (call: Call): string => call.body.toString('utf8');
