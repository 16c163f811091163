import type { Contract, Operation } from '../../spec/index.ts';
import { GeneratorArbitrary } from '../core/generator-arbitrary.ts';
import type { JsonGenerator } from '../core/generator.ts';
import { arbitraryFor, isUnsatisfiable } from '../schema/arbitrary-for.ts';
import type { Unsatisfiable } from '../schema/arbitrary-for.ts';
import { bodyContent } from './media.ts';
import { parameterParts, RequestGenerator } from './request-generator.ts';
import type { BodyPart } from './request-generator.ts';
import type { GeneratedRequest, RequestOptions } from './request.ts';

export interface RequestArbitraryOptions extends RequestOptions {
  /** Replaces the generator of the body's schema. */
  readonly body?: JsonGenerator;
}

/**
 * Valid requests of an operation: parameters in path, query and headers, and a JSON body. Returns {@link Unsatisfiable}
 * if a required part has no valid value.
 */
export function requestArbitrary(
  contract: Contract,
  operation: Operation,
  options: RequestArbitraryOptions = {},
): GeneratorArbitrary<GeneratedRequest> | Unsatisfiable {
  const parts = parameterParts(contract, operation);
  if ('unsatisfiable' in parts) return parts;
  const body = bodyPart(contract, operation, options);
  if (body !== undefined && isUnsatisfiable(body)) return body;
  return new GeneratorArbitrary(new RequestGenerator(parts, body, options));
}

function bodyPart(
  contract: Contract,
  operation: Operation,
  options: RequestArbitraryOptions,
): BodyPart | Unsatisfiable | undefined {
  const media = bodyContent(operation.body);
  if (media === undefined || operation.body === undefined) return undefined;
  const { required } = operation.body;
  if (options.body !== undefined) return { media, required, generator: options.body };
  const schema = media.schema ?? { pointer: 'virtual:body', schema: true };
  const arbitrary = arbitraryFor(contract, schema, options.pins === undefined ? {} : { pins: options.pins });
  if (isUnsatisfiable(arbitrary)) return required ? arbitrary : undefined;
  return { media, required, generator: arbitrary.parts };
}
