import { area } from '../define.ts';
import { answers, asList, asObject, asks, problem, succeeded, withBody } from '../kit.ts';
import type { JsonMap } from '../kit.ts';
import type { Call, Make, Mutant } from '../types.ts';

export const define = area('inputs');
export const POLICY = '/accesscontrolpolicies';
export const WRITES = [`POST ${POLICY}`, `PUT ${POLICY}/{id}`];
export const AGENTS = ['POST /aiagent', 'PUT /aiagent/{id}'];
export const JOBS = ['POST /aijob', 'PUT /aijob/{id}', 'PATCH /aijob/{id}'];
export const SET = `POST ${POLICY}/setprocessingorder`;
export const FIVE = 'valid requests succeed; 500 is an unexpected server error (section 7)';
export const BACK = 'what is posted is what is stored (section 4)';

export type Test = (body: JsonMap, call: Call) => boolean;

/** Answers 500 where the body has the property that the service can't bear. */
export function trips(name: string, ops: readonly string[], test: Test, onlyGood = true): Mutant {
  const make: Make = answers(
    {
      op: ops,
      when: (call) =>
        call.role === 'full' && typeof call.json === 'object' && call.json !== null && test(asObject(call.json), call),
    },
    (reply) => (onlyGood && !succeeded(reply) ? reply : problem(500)),
  );
  return define(name, FIVE, ops, make, ops.includes(SET) ? ['reversible', 'global'] : ['reversible']);
}

/** Stores something else than what was posted. */
export function mangles(
  name: string,
  ops: readonly string[],
  change: (body: JsonMap) => JsonMap,
  reads: readonly string[],
): Mutant {
  return define(
    name,
    BACK,
    [...ops, ...reads],
    asks(
      { op: ops, when: (call) => typeof call.json === 'object' && call.json !== null && !Array.isArray(call.json) },
      (call) => {
        const before = asObject(call.json);
        const after = change(before);
        return JSON.stringify(before) === JSON.stringify(after) ? undefined : withBody(after);
      },
    ),
    ['reversible'],
  );
}

export const str = (value: unknown): string => (typeof value === 'string' ? value : '');
export const name = (body: JsonMap): string => str(body['name']);
export const strings = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : [];
};
export const rules = (body: JsonMap): readonly JsonMap[] => asList(body['rules']).map(asObject);
export const depth = (rule: unknown): number => 1 + Math.max(0, ...asList(asObject(rule)['rules']).map(depth));
export const metadata = (body: JsonMap): readonly (readonly [string, unknown])[] =>
  Object.entries(asObject(body['metadata']));
export const sources = (body: JsonMap): readonly JsonMap[] => asList(body['dataSources']).map(asObject);
export const mapStrings = (body: JsonMap, fields: readonly string[], change: (text: string) => string): JsonMap =>
  Object.fromEntries(
    Object.entries(body).map(([key, value]) => [
      key,
      fields.includes(key) && typeof value === 'string' ? change(value) : value,
    ]),
  );
