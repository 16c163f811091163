import { sample } from 'fast-check';
import { isUnsatisfiable, bodyContent, requestArbitrary, sampleBody } from '../../generators/index.ts';
import type { GeneratedRequest, SampleContext } from '../../generators/index.ts';
import { isObject } from '../../spec/index.ts';
import type { Contract, Json, Operation, Parameter } from '../../spec/index.ts';

/** What a description alone lets one send. */
export interface PlainRequest {
  readonly path: Readonly<Record<string, Json>>;
  /** Required cookies only. */
  readonly cookies: Readonly<Record<string, Json>>;
  /** Required parameters only. */
  readonly query: Readonly<Record<string, Json>>;
  readonly json?: Json;
}

const plain = new WeakMap<Contract, Map<string, PlainRequest | undefined>>();

/** A valid request by the description alone: its own example where it gives one, else a generated one. Undefined: nothing fits. */
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

/** A body that may be left out is sent all the same, where one can be made. */
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

/** A body with that name: what the domain knows of the operation, or what the description alone says of it. */
export function bodyNamed(
  contract: Contract,
  operation: Operation,
  name: string,
  context: SampleContext = {},
): Json | undefined {
  if (contract.builtIn) return sampleBody(operation.id, name, context);
  const json = plainRequest(contract, operation)?.json;
  return json === undefined ? undefined : tagged(contract, operation, json, name);
}

/** Gives a body the run's tag as its name, where it has one and the schema bears it. */
function tagged(contract: Contract, operation: Operation, json: Json, name: string): Json {
  const schema = bodyContent(operation.body)?.schema;
  if (!isObject(json)) return json;
  const key = ['name', 'title', 'displayName', 'description'].find(
    (each) => typeof json[each] === 'string' || (schema !== undefined && each === 'name'),
  );
  if (key === undefined) return json;
  const named = { ...json, [key]: name };
  return schema === undefined || contract.validate(schema, named).length === 0 ? named : json;
}
