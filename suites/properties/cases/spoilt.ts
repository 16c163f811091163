import type { CaseArbitrary, GeneratedRequest, InvalidCase } from '../../../generators/index.ts';
import { invalidRequests } from '../../../generators/index.ts';
import type { Contract, Json, Operation } from '../../../spec/index.ts';
import { isObject, pointerTo, pointerTokens, readPointer } from '../../../spec/index.ts';
import { withBody } from '../hunt/case.ts';
import type { Case } from '../hunt/case.ts';
import { general } from '../hunt/places.ts';
import type { Shrinker } from '../hunt/shrink.ts';
import { replaced, spots } from './spots.ts';
import type { Path } from './spots.ts';

/** Invalid requests, those first that are wrong as a whole, or break what no other before them breaks. */
export function* spoiltCases(
  contract: Contract,
  operation: Operation,
  arbitrary: CaseArbitrary<GeneratedRequest>,
): Iterable<Case> {
  const path = arbitrary.simplest.path;
  const all = invalidRequests(contract, operation, { path }).filter(
    ({ rawBody }) => rawBody === undefined || !isValid(contract, operation, rawBody),
  );
  const seen = new Set<string>();
  const later: InvalidCase[] = [];
  let form = 0;
  for (const each of all) {
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

/** What an invalid case breaks, as a cause may name it. */
export function brokenBy(contract: Contract, operation: Operation, value: Json | undefined): string | undefined {
  const schema = schemaOf(operation);
  if (schema === undefined || value === undefined) return undefined;
  const [violation] = contract.validate(schema, value);
  return violation === undefined
    ? undefined
    : `${violation.keyword} at ${general(contract, schema, violation.instancePointer) || 'the body'}`;
}

/** True for a text that is JSON and fits after all. */
function isValid(contract: Contract, operation: Operation, text: string): boolean {
  try {
    const value = JSON.parse(text) as Json;
    const schema = schemaOf(operation);
    return schema === undefined || contract.validate(schema, value).length === 0;
  } catch {
    return false;
  }
}

/** An invalid request with what is invalid taken out, or made as in the simplest one: what is wrong with it all the same is not the invalid part's doing. */
export function mended(
  contract: Contract,
  operation: Operation,
  request: GeneratedRequest,
  simplest: GeneratedRequest,
): GeneratedRequest | undefined {
  const body = request.body?.value;
  const schema = schemaOf(operation);
  const pointer =
    body === undefined || schema === undefined ? undefined : contract.validate(schema, body)[0]?.instancePointer;
  if (body === undefined || pointer === undefined) return undefined;
  const path = pathIn(body, pointer);
  const plain = simplest.body === undefined ? undefined : readPointer(simplest.body.value, pointer);
  const value = path.length === 0 ? (simplest.body?.value ?? null) : replaced(body, path, plain);
  return contract.validate(schema as NonNullable<typeof schema>, value).length === 0
    ? withBody(request, value)
    : undefined;
}

function pathIn(body: Json, pointer: string): Path {
  let at: Json | undefined = body;
  return pointerTokens(pointer).map((token) => {
    const step = Array.isArray(at) ? Number(token) : token;
    at = readPointer(at ?? null, pointerTo('', token));
    return step;
  });
}

function schemaOf(operation: Operation) {
  return operation.body?.content.find((each) => each.schema !== undefined)?.schema;
}

/** Makes an invalid body smaller as long as it breaks the same constraint and no other. */
export function spoiltShrinker(
  contract: Contract,
  operation: Operation,
  arbitrary: CaseArbitrary<GeneratedRequest>,
): Shrinker {
  return {
    simplest: arbitrary.simplest,
    accepts: () => false,
    *shrink(value) {
      const body = value.body?.value;
      const broken = brokenBy(contract, operation, body);
      if (body === undefined || broken === undefined) return;
      for (const candidate of smaller(body)) {
        if (brokenBy(contract, operation, candidate) === broken) yield { value: withBody(value, candidate) };
      }
    },
  };
}

function* smaller(body: Json): Iterable<Json> {
  for (const { path, value } of spots(body)) {
    if (path.length > 0) yield replaced(body, path, undefined);
    if (typeof value === 'string' && value.length > 1) yield replaced(body, path, 'a');
    if (Array.isArray(value) && value.length > 1) yield replaced(body, path, value.slice(0, 1) as Json);
    if (isObject(value) && Object.keys(value).length > 1 && path.length > 0) yield replaced(body, path, {});
  }
}
