import { isJsonType, parsesAsJson } from './media.ts';
import type { Contract, Operation } from '../contract.ts';
import type { Exchange } from '../exchange.ts';
import type { Judge } from './check.ts';

/**
 * A 5xx is an unexpected server error, whatever was sent (api.md section 7), unless the description declares a 5xx other than
 * 500 for the operation, or declares nothing else. A description of its own does not speak of bodies that no client writes: where
 * such a body causes the error, it is a warning.
 */
export const noServerError: Judge = ({ contract, operation, exchange }) => {
  const status = exchange.response?.status ?? 0;
  if (status < 500 || isDeclared(operation, status)) return [];
  return [
    {
      requirement: 'errors.no-server-error',
      code: 'no-server-error/status',
      ...(isStated(contract) || isUsual(exchange) ? {} : { grade: 'inferred' as const }),
      subject: String(status),
      message: `${operation.id} fails with ${status}`,
      expected: 'a documented success or refusal, not a server error',
      received: `status ${status}`,
    },
  ];
};

function isDeclared({ responses }: Operation, status: number): boolean {
  const exact = responses.some((each) => each.status === String(status));
  return exact && (status > 500 || responses.every((each) => each.status.startsWith('5')));
}

/** True where the API document itself says what a server error is. */
function isStated({ requirements }: Contract): boolean {
  return requirements.some(({ id, section }) => id === 'errors.no-server-error' && section !== '');
}

/** Levels of nesting up to which parsers and validators of all frameworks are expected to work. */
const USUAL_DEPTH = 100;

/** False for a body that is sent as JSON and is none, such as one with `NaN`, or that is nested too deep for recursion. */
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
