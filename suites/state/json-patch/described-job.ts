import { operationOf } from '../../../domain/builtin/operations.ts';
import { isObject } from '../../../spec/index.ts';
import type { Contract, Json, JsonObject, SchemaRef } from '../../../spec/index.ts';
import type { TestContext } from '../../kit/context.ts';
import { camelCased } from '../../kit/read-back.ts';
import { alternatives, propertyOf, restOf } from '../../kit/schema-parts.ts';

/** A job without what the body of an update does not describe. */
export function describedJob(t: TestContext, job: JsonObject): JsonObject {
  const body = operationOf(t, 'updateJob').body?.content.find((each) => each.schema !== undefined)?.schema;
  const described = body === undefined ? job : describedIn(t.contract, body, job);
  return isObject(described) ? described : job;
}

/** A value without the members that the schema does not describe: a deployment may compute them for each response. */
function describedIn(contract: Contract, ref: SchemaRef, value: Json): Json {
  const rest = restOf(contract, ref);
  if (Array.isArray(value))
    return rest === undefined ? value : value.map((each: Json) => describedIn(contract, rest, each));
  const hasMembers = alternatives(contract, ref).some(
    ({ schema }) => isObject(schema) && isObject(schema['properties']),
  );
  if (!isObject(value) || (rest === undefined && !hasMembers)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => {
      const at = propertyOf(contract, ref, camelCased(key)) ?? rest;
      return at === undefined ? [] : [[key, describedIn(contract, at, member)]];
    }),
  );
}
