import { invalidRequests, partsOf } from '../../../generators/index.ts';
import type { GeneratorArbitrary, GeneratedRequest, InvalidCase, Path } from '../../../generators/index.ts';
import { isObject, parsedJson, pointerTo, pointerTokens, readPointer } from '../../../spec/index.ts';
import type { Contract, Json, Operation, SchemaRef } from '../../../spec/index.ts';
import { shrinkerOf, withBodyValue } from '../case.ts';
import type { Case, RequestShrinker } from '../case.ts';
import { NAME } from '../attempts/slot.ts';
import { generalPointer } from '../places.ts';
import { replaced } from './parts.ts';

/** Invalid requests; those that are invalid as a whole and the first violation of each constraint come first. */
export function* invalidCases(
  contract: Contract,
  operation: Operation,
  arbitrary: GeneratorArbitrary<GeneratedRequest>,
): Iterable<Case> {
  const { path } = arbitrary.simplest;
  const seen = new Set<string>();
  const later: InvalidCase[] = [];
  let form = 0;
  for (const each of invalidRequests(contract, operation, { path, name: NAME })) {
    if (each.rawBody !== undefined && isValid(contract, operation, each.rawBody)) continue;
    const key = `${each.pointer} ${each.keyword}`;
    if (seen.has(key) && each.keyword !== 'json' && each.pointer !== '') later.push(each);
    else yield caseOf(each, form++);
    seen.add(key);
  }
  for (const each of later) yield caseOf(each, form++);
}

function caseOf({ request, rawBody, label }: InvalidCase, form: number): Case {
  return { request, form, label, ...(rawBody === undefined ? {} : { rawBody }) };
}

/** The first constraint that a body violates: keyword and pointer. */
export function constraintOf(contract: Contract, operation: Operation, value: Json | undefined): string | undefined {
  const schema = schemaOf(operation);
  if (schema === undefined || value === undefined) return undefined;
  const [violation] = contract.validate(schema, value);
  return violation === undefined
    ? undefined
    : `${violation.keyword} ${generalPointer(contract, schema, violation.instancePointer)}`.trim();
}

/** True for a text that is valid JSON and fits the schema. */
function isValid(contract: Contract, operation: Operation, text: string): boolean {
  const value = parsedJson(text);
  return value !== undefined && constraintOf(contract, operation, value) === undefined;
}

/** An invalid request with the plain value in place of the invalid one, or without it; undefined where that does not make it valid. */
export function validCounterpart(
  contract: Contract,
  operation: Operation,
  request: GeneratedRequest,
  simplest: GeneratedRequest,
): GeneratedRequest | undefined {
  const body = request.body?.value;
  const schema = schemaOf(operation);
  if (body === undefined || schema === undefined) return undefined;
  const pointer = contract.validate(schema, body)[0]?.instancePointer;
  if (pointer === undefined) return undefined;
  const path = pathIn(body, pointer);
  const plain = simplest.body === undefined ? undefined : readPointer(simplest.body.value, pointer);
  const value = path.length === 0 ? (simplest.body?.value ?? null) : replaced(body, path, plain);
  return contract.validate(schema, value).length === 0 ? withBodyValue(request, value) : undefined;
}

function pathIn(body: Json, pointer: string): Path {
  let at: Json | undefined = body;
  return pointerTokens(pointer).map((token) => {
    const step = Array.isArray(at) ? Number(token) : token;
    at = readPointer(at ?? null, pointerTo('', token));
    return step;
  });
}

function schemaOf(operation: Operation): SchemaRef | undefined {
  return operation.body?.content.find((each) => each.schema !== undefined)?.schema;
}

/** Makes an invalid body smaller as long as it violates the same constraint first. */
export function invalidShrinker(
  contract: Contract,
  operation: Operation,
  arbitrary: GeneratorArbitrary<GeneratedRequest>,
): RequestShrinker {
  return shrinkerOf(arbitrary.simplest, function* smallerRequests(value) {
    const body = value.body?.value;
    const constraint = constraintOf(contract, operation, body);
    if (body === undefined || constraint === undefined) return;
    for (const candidate of smaller(body))
      if (constraintOf(contract, operation, candidate) === constraint) yield withBodyValue(value, candidate);
  });
}

function* smaller(body: Json): Iterable<Json> {
  for (const { path, value } of partsOf(body)) {
    if (path.length > 0) yield replaced(body, path, undefined);
    if (typeof value === 'string' && value.length > 1) yield replaced(body, path, 'a');
    if (Array.isArray(value) && value.length > 1) yield replaced(body, path, (value as readonly Json[]).slice(0, 1));
    if (isObject(value) && Object.keys(value).length > 1 && path.length > 0) yield replaced(body, path, {});
  }
}
