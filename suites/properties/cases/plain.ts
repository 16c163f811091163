import { isUnsatisfiable, requestArbitrary } from '../../../generators/index.ts';
import type { GeneratorArbitrary, GeneratedRequest } from '../../../generators/index.ts';
import { isObject } from '../../../spec/index.ts';
import type { Contract, Json, JsonObject, Operation } from '../../../spec/index.ts';
import { NAME, PATH_ID } from '../attempts/slot.ts';
import { domainGenerator } from '../../../domain/builtin/bodies/domain-body.ts';
import { hasSample, sampleBody } from '../../../domain/builtin/bodies/sample-body.ts';
import { isPlainClue, isPlainRaw } from '../../../domain/builtin/bodies/plain-clue.ts';
import { OPERATIONS } from '../../../domain/builtin/operations.ts';
import type { BodyReferences } from '../../../domain/knowledge.ts';
import { AGENT_ID, ORGANIZATION_ID } from '../../../domain/builtin/bodies/identifiers.ts';

/** Index of the plain value with every member in the sweep of an arbitrary. */
const PLAIN = 3;

/** Number of plain requests from which the one with the fewest empty members is taken. */
const PLAIN_SEEDS = 10;

/** Bodies that the document guarantees to be accepted, by operation. */
const GUARANTEED: Readonly<Record<string, (body: Json | undefined) => boolean>> = {
  [OPERATIONS.clue]: isPlainClue,
  [OPERATIONS.raw]: isPlainRaw,
};

/** Whether the document guarantees that a body is accepted; undefined where it guarantees nothing about bodies of the operation. */
export function isGuaranteedBody(operationId: string, body: Json | undefined): boolean | undefined {
  return GUARANTEED[operationId]?.(body);
}

/** Placeholders for all path parameters of an operation. */
export function placeholders(operation: Operation): Readonly<Record<string, string>> {
  return Object.fromEntries(
    operation.parameters.filter((each) => each.in === 'path').map(({ name }, index) => [name, `${PATH_ID}${index}`]),
  );
}

/** Requests of an operation; undefined where none can be generated. */
export function generatedRequests(
  contract: Contract,
  operation: Operation,
  path = placeholders(operation),
): GeneratorArbitrary<GeneratedRequest> | undefined {
  const body = domainGenerator(contract, operation.id, { aiAgentId: AGENT_ID });
  const arbitrary = requestArbitrary(contract, operation, { path, ...(body === undefined ? {} : { body }) });
  return isUnsatisfiable(arbitrary) ? undefined : arbitrary;
}

/** A plain request with every member of the body, with the name and description of the sample. */
export function fullRequest(operation: Operation, arbitrary: GeneratorArbitrary<GeneratedRequest>): GeneratedRequest {
  if (isGuaranteedBody(operation.id, {}) !== undefined) return sampleRequest(operation, arbitrary);
  const plain = richest(arbitrary);
  const sample = sampleOf(operation);
  const body = plain.body;
  if (body === undefined) return arbitrary.simplest;
  const value = isObject(body.value) && isObject(sample) ? { ...body.value, ...texts(sample) } : body.value;
  const full = { ...plain, query: {}, headers: {}, body: { ...body, value } };
  return arbitrary.accepts(full) ? full : plain;
}

/** The plain request with the fewest empty lists and maps; of those the shortest. */
function richest(arbitrary: GeneratorArbitrary<GeneratedRequest>): GeneratedRequest {
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

/** The plain sample of an operation as a request; `references` are those of the knowledge. */
export function sampleRequest(
  operation: Operation,
  arbitrary: GeneratorArbitrary<GeneratedRequest>,
  references: BodyReferences = {},
): GeneratedRequest {
  const { simplest } = arbitrary;
  const sample = sampleOf(operation, references);
  return sample === undefined || simplest.body === undefined
    ? simplest
    : { ...simplest, body: { ...simplest.body, value: sample } };
}

function sampleOf(operation: Operation, references: BodyReferences = {}): Json | undefined {
  return hasSample(operation.id)
    ? sampleBody(operation.id, NAME, { ...references, aiAgentId: AGENT_ID, organizationId: ORGANIZATION_ID })
    : undefined;
}

/** The members that hold the run's name. */
function texts(sample: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(sample).filter(([, value]) => typeof value === 'string'));
}
