import type { Contract, Operation } from '../../spec/index.ts';
import { isUnsatisfiable } from '../schema/arbitrary-for.ts';
import { bodyContent, concreteType, isJson } from '../parameters/media.ts';
import { requestArbitrary } from '../parameters/request-arbitrary.ts';
import type { RequestArbitraryOptions } from '../parameters/request-arbitrary.ts';
import type { GeneratedRequest } from '../parameters/request.ts';
import type { InvalidCase } from './invalid-case.ts';
import { invalidParameters } from './invalid-parameters.ts';
import { invalidValues } from './invalid-values.ts';
import { MALFORMED } from './malformed.ts';

/**
 * Requests of an operation that each break exactly one constraint, labelled with it; the validator has confirmed each.
 * The order is stable. Empty where a valid request can't be made in the first place.
 */
export function invalidRequests(
  contract: Contract,
  operation: Operation,
  options: RequestArbitraryOptions = {},
): InvalidCase[] {
  const arbitrary = requestArbitrary(contract, operation, options);
  if (isUnsatisfiable(arbitrary)) return [];
  const base = arbitrary.simplest;
  return [
    ...malformed(base),
    ...spoiltBodies(contract, operation, base, options),
    ...missingBody(operation, base),
    ...invalidParameters(contract, operation, base),
  ];
}

function malformed(base: GeneratedRequest): InvalidCase[] {
  const { body } = base;
  if (body === undefined || !isJson(body.type)) return [];
  const text = JSON.stringify(body.value);
  return MALFORMED.map(({ label, certainty, text: spoil }) => ({
    where: 'body',
    pointer: '',
    keyword: 'json',
    label: `the body is no JSON: ${label}`,
    certainty,
    request: base,
    rawBody: spoil(text),
  }));
}

function spoiltBodies(
  contract: Contract,
  operation: Operation,
  base: GeneratedRequest,
  options: RequestArbitraryOptions,
): InvalidCase[] {
  const media = bodyContent(operation.body);
  if (media?.schema === undefined || !isJson(media.type)) return [];
  const type = concreteType(media.type);
  return invalidValues(contract, media.schema, options.pins === undefined ? {} : { pins: options.pins }).map(
    ({ pointer, keyword, label, value }) => ({
      where: 'body',
      pointer,
      keyword,
      label,
      certainty: 'lenient',
      request: { ...base, body: { type, value } },
    }),
  );
}

function missingBody(operation: Operation, base: GeneratedRequest): InvalidCase[] {
  if (operation.body?.required !== true || base.body === undefined) return [];
  const { path, query, headers } = base;
  return [
    {
      where: 'body',
      pointer: '',
      keyword: 'required',
      label: 'no body at all',
      certainty: 'lenient',
      request: { path, query, headers },
    },
  ];
}
