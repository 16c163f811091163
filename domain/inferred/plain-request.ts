import { sample } from 'fast-check';
import { isUnsatisfiable, bodyContent, requestArbitrary } from '../../generators/index.ts';
import type { GeneratedRequest } from '../../generators/index.ts';
import { isObject } from '../../spec/index.ts';
import type { Contract, Json, Operation, Parameter } from '../../spec/index.ts';

/** A request made from the description alone. */
export interface PlainRequest {
  readonly path: Readonly<Record<string, Json>>;
  /** Required cookies only. */
  readonly cookies: Readonly<Record<string, Json>>;
  /** Required parameters only. */
  readonly query: Readonly<Record<string, Json>>;
  readonly json?: Json;
}

const plain = new WeakMap<Contract, Map<string, PlainRequest | undefined>>();

/**
 * A valid request by the description alone: its own example where it gives one, else a generated one. Undefined:
 * nothing fits.
 */
export function plainRequest(contract: Contract, operation: Operation): PlainRequest | undefined {
  const known = plain.get(contract) ?? new Map<string, PlainRequest | undefined>();
  plain.set(contract, known);
  if (!known.has(operation.id)) known.set(operation.id, make(contract, operation));
  return known.get(operation.id);
}

function make(contract: Contract, operation: Operation): PlainRequest | undefined {
  const arbitrary = requestArbitrary(contract, withBody(operation));
  if (isUnsatisfiable(arbitrary))
    return operation.body?.required === false ? make(contract, withoutBody(operation)) : undefined;
  const [request] = sample(arbitrary, { seed: 1, numRuns: 1 });
  if (request === undefined) return undefined;
  const required = (
    place: Parameter['in'],
    values: Readonly<Record<string, Json>> = {},
  ): Readonly<Record<string, Json>> =>
    Object.fromEntries(
      Object.entries(values).filter(([name]) =>
        operation.parameters.some((each) => each.in === place && each.required && each.name === name),
      ),
    );
  const json = bodyOf(contract, operation, request);
  return {
    path: request.path,
    query: required('query', request.query),
    cookies: required('cookie', request.cookies),
    ...(json === undefined ? {} : { json }),
  };
}

/** An optional body is sent too, where one can be generated. */
function withBody(operation: Operation): Operation {
  return operation.body === undefined ? operation : { ...operation, body: { ...operation.body, required: true } };
}

function withoutBody({ body: _body, ...operation }: Operation): Operation {
  return operation;
}

function bodyOf(contract: Contract, operation: Operation, request: GeneratedRequest): Json | undefined {
  const media = bodyContent(operation.body);
  const example = media?.examples.find(
    (each) => media.schema === undefined || contract.validate(media.schema, each).length === 0,
  );
  return example ?? request.body?.value;
}

/** A plain body with that name, by the description alone. */
export function plainBody(contract: Contract, operation: Operation, name: string): Json | undefined {
  const json = plainRequest(contract, operation)?.json;
  return json === undefined ? undefined : named(contract, operation, json, name);
}

/** Sets the name of a body, where it has one and the schema allows it. */
function named(contract: Contract, operation: Operation, json: Json, name: string): Json {
  const schema = bodyContent(operation.body)?.schema;
  if (!isObject(json)) return json;
  const key = ['name', 'title', 'displayName', 'description'].find(
    (each) => typeof json[each] === 'string' || (schema !== undefined && each === 'name'),
  );
  if (key === undefined) return json;
  const renamed = { ...json, [key]: name };
  return schema === undefined || contract.validate(schema, renamed).length === 0 ? renamed : json;
}
