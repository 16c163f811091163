import type { Contract, Operation } from '../contract.ts';
import type { Check } from './check.ts';
import type { Exchange } from '../exchange.ts';
import type { ExchangeViolation } from '../violation.ts';
import { acceptedOf, covers, isJsonType, isSuccess, parsesAsJson, responseFor } from './media.ts';

/**
 * The body of a response has a media type that the description offers: of a success for the operation, or for all of them
 * (`x-response-media-types` at the root of the description); of a refusal where its status is described.
 */
export const contentTypeOffered: Check = ({ contract, operation, exchange }) => {
  const { response } = exchange;
  if (response === undefined || response.body.length === 0 || exchange.request.method !== operation.method) return [];
  const type = response.mediaType;
  if (!isSuccess(response.status)) return ofRefusal(operation, response.status, type);
  const spec = responseFor(operation, response.status);
  if (spec === undefined) return [];
  const offered = spec.content.length === 0 ? offeredByAll(contract) : spec.content.map((each) => each.type);
  if (type === undefined || offered.length === 0) return [];
  if (offered.some((range) => covers(range, type))) return notAsAsked(operation, exchange, type);
  return [
    {
      code: 'content-type-offered/media-type',
      subject: type,
      requirement: 'content.response-type',
      message: `${operation.id} answers with ${type}`,
      expected: `an offered media type: ${offered.join(', ')}`,
      received: `Content-Type: ${type}`,
    },
  ];
};

/** Refusals of the service itself. Others, such as 401 and 429, often come from a gateway or the framework. */
const OWN_REFUSALS: ReadonlySet<number> = new Set([400, 404, 409, 410, 412, 422]);

/** A warning: frameworks and gateways answer refusals as problem+json, plain text or a page, whatever is described. */
function ofRefusal(operation: Operation, status: number, type: string | undefined): readonly ExchangeViolation[] {
  const spec = operation.responses.find((each) => each.status === String(status));
  const offered = spec?.content.map((each) => each.type) ?? [];
  if (type === undefined || offered.length === 0 || !OWN_REFUSALS.has(status)) return [];
  if (offered.some((range) => covers(range, type))) return [];
  return [
    {
      code: 'content-type-offered/refusal',
      subject: type,
      grade: 'inferred',
      message: `${operation.id} answers ${status} with ${type}`,
      expected: `a media type that is described for ${status}: ${offered.join(', ')}`,
      received: `Content-Type: ${type}`,
    },
  ];
}

/** Only for JSON: the body is readable under either media type. The framework answers text/plain with application/json. */
function notAsAsked(operation: Operation, exchange: Exchange, type: string): readonly ExchangeViolation[] {
  const requested = acceptedOf(operation, exchange);
  if (requested === undefined || !isJsonType(requested) || requested === type || !parsesAsJson(exchange.response?.body))
    return [];
  return [
    {
      code: 'content-type-offered/not-as-asked',
      subject: `${requested} ${type}`,
      requirement: requested === 'text/json' ? 'content.response-text-json' : 'content.response-json',
      grade: 'inferred',
      message: `${operation.id} answers with ${type} although ${requested} is offered and requested`,
      expected: `Content-Type: ${requested}`,
      received: `Content-Type: ${type}`,
    },
  ];
}

function offeredByAll({ document }: Contract): readonly string[] {
  const types = document['x-response-media-types'];
  return Array.isArray(types) ? types.map(String) : [];
}
