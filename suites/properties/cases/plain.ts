import { isUnsatisfiable, requestArbitrary } from '../../../generators/index.ts';
import type { CaseArbitrary, GeneratedRequest } from '../../../generators/index.ts';
import { isObject } from '../../../spec/index.ts';
import type { Contract, Json, JsonObject, Operation } from '../../../spec/index.ts';
import { NAME, PATH_ID } from '../attempts/stage.ts';
import { isPromised } from './promised.ts';
import { domainGenerator } from '../../../domain/builtin/bodies/domain-body.ts';
import { hasSample, sampleBody } from '../../../domain/builtin/bodies/sample-body.ts';
import { AGENT_ID } from '../../../domain/builtin/knowledge.ts';

/** Index of the plain case, with every member, in an arbitrary's sweep. */
const PLAIN = 3;

/** Plain cases that are looked at for the fullest. */
const PLAIN_SEEDS = 10;

/** Placeholders for all path parameters of an operation. */
export function placeholders(operation: Operation): Readonly<Record<string, string>> {
  return Object.fromEntries(
    operation.parameters.filter((each) => each.in === 'path').map(({ name }, index) => [name, `${PATH_ID}${index}`]),
  );
}

/** Requests of an operation, with what the domain knows of its body; undefined where none can be made. */
export function requestsOf(
  contract: Contract,
  operation: Operation,
  path = placeholders(operation),
): CaseArbitrary<GeneratedRequest> | undefined {
  const body = domainGenerator(contract, operation.id, { aiAgentId: AGENT_ID });
  const arbitrary = requestArbitrary(contract, operation, { path, ...(body === undefined ? {} : { body }) });
  return isUnsatisfiable(arbitrary) ? undefined : arbitrary;
}

/** A plain request with every member of the body, its name and description being the run's. */
export function fullRequest(operation: Operation, arbitrary: CaseArbitrary<GeneratedRequest>): GeneratedRequest {
  if (isPromised(operation.id, {}) !== undefined) return sampleRequest(operation, arbitrary);
  const plain = richest(arbitrary);
  const sample = sampleOf(operation);
  const body = plain.body;
  if (body === undefined) return arbitrary.simplest;
  const value = isObject(body.value) && isObject(sample) ? { ...body.value, ...texts(sample) } : body.value;
  const full = { ...plain, query: {}, headers: {}, body: { ...body, value } };
  return arbitrary.accepts(full) ? full : plain;
}

/** Of a few plain requests the one with the fewest empty lists and maps, and of those the shortest. */
function richest(arbitrary: CaseArbitrary<GeneratedRequest>): GeneratedRequest {
  const plain = Array.from(
    { length: PLAIN_SEEDS },
    (_, seed) => arbitrary.sweep(seed + 1, PLAIN + 1)[PLAIN] ?? arbitrary.simplest,
  );
  return plain.toSorted((a, b) => rank(a) - rank(b))[0] ?? arbitrary.simplest;
}

function rank(request: GeneratedRequest): number {
  return 100_000 * emptyParts(request.body?.value ?? null) + JSON.stringify(request).length;
}

function emptyParts(value: Json): number {
  return isObject(value)
    ? Object.values(value).filter((each) => typeof each === 'object' && each !== null && Object.keys(each).length === 0)
        .length
    : 0;
}

/** The plain sample of an operation as a request. */
export function sampleRequest(operation: Operation, arbitrary: CaseArbitrary<GeneratedRequest>): GeneratedRequest {
  const { simplest } = arbitrary;
  const sample = sampleOf(operation);
  return sample === undefined || simplest.body === undefined
    ? simplest
    : { ...simplest, body: { ...simplest.body, value: sample } };
}

function sampleOf(operation: Operation): Json | undefined {
  return hasSample(operation.id) ? sampleBody(operation.id, NAME, { aiAgentId: AGENT_ID }) : undefined;
}

/** What carries the run's name. */
function texts(sample: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(sample).filter(([, value]) => typeof value === 'string'));
}
