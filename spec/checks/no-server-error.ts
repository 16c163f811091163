import { isJsonType, parsesAsJson } from './media.ts';
import type { Contract, Operation } from '../contract.ts';
import type { Exchange } from '../exchange.ts';
import type { Check } from './check.ts';

/**
 * A 5xx is an unexpected server error for any request (api.md section 7), unless the description declares a 5xx other than 500
 * for the operation, or declares nothing else. With another description, an error caused by a body that no client would send is
 * a warning only. 501 is the right answer to a method that the service does not know (RFC 9110, section 9.1).
 */
export const noServerError: Check = ({ contract, operation, exchange }) => {
  const status = exchange.response?.status ?? 0;
  const { method } = exchange.request;
  const isOther = method !== operation.method;
  if (status < 500 || isDeclared(operation, status) || (isOther && status === 501)) return [];
  return [
    {
      requirement: 'errors.no-server-error',
      code: 'no-server-error/status',
      ...(isStated(contract) || isUsual(exchange) ? {} : { grade: 'inferred' as const }),
      subject: String(status),
      message: `${isOther ? `${method} ${operation.path}` : operation.id} fails with ${status}`,
      expected: 'a documented success or refusal, not a server error',
      received: `status ${status}`,
    },
  ];
};

function isDeclared({ responses }: Operation, status: number): boolean {
  const exact = responses.some((each) => each.status === String(status));
  return exact && (status > 500 || responses.every((each) => each.status.startsWith('5')));
}

/** True for the API document; requirements of other descriptions have no section. */
function isStated({ requirements }: Contract): boolean {
  return requirements.some(({ id, section }) => id === 'errors.no-server-error' && section !== '');
}

/** Levels of nesting that the parsers and validators of all frameworks are expected to support. */
const USUAL_DEPTH = 100;

/** False for a body that is sent as JSON but is not JSON, for example with `NaN`, or that is nested too deeply. */
function isUsual({ request: { body, headers } }: Exchange): boolean {
  if (body === undefined || !isJsonType(headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? ''))
    return true;
  if (!parsesAsJson(body)) return false;
  let depth = 0;
  for (const byte of body) {
    if (byte === 0x7b || byte === 0x5b) depth += 1;
    else if (byte === 0x7d || byte === 0x5d) depth -= 1;
    if (depth > USUAL_DEPTH) return false;
  }
  return true;
}
