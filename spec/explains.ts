import { isServed } from './checks/media.ts';
import { checkOf } from './finding-codes.ts';
import type { CheckName } from './finding-codes.ts';
import type { Violation } from './violation.ts';

/** Checks whose violations do not invalidate a success: the request took effect, and its content can be checked. */
const OF_THE_HEAD: ReadonlySet<CheckName> = new Set(['status-documented', 'content-type-offered', 'headers-declared']);

/** Names of codes about being served and the status, not about the content of the response. */
const OF_THE_STATUS: ReadonlySet<string> = new Set(['accepted', 'served', 'status', 'refused', 'readable', 'stored']);

/** True for a violation after which nothing else can be concluded from the exchange. */
export function isUnusable(violation: Violation): boolean {
  return (
    !violation.exchanges.every(isServed) ||
    (!OF_THE_HEAD.has(checkOf(violation.code)) && isOfStructure(violation.instancePointer))
  );
}

/**
 * True if the violation of a single exchange explains another violation by the same exchange: there was no response, the
 * request was refused, or the response cannot be read. A wrong success status does not explain that a request was served.
 */
export function explains(cause: Violation, { code, instancePointer }: Violation): boolean {
  if (!cause.exchanges.every(isServed)) return true;
  const name = code.slice(code.indexOf('/') + 1);
  const check = checkOf(cause.code);
  if (check === 'status-documented') return name === 'status';
  if (cause.code === 'headers-declared/mismatch') return false;
  if (OF_THE_HEAD.has(check)) return name === 'media-type' || checkOf(code) === 'response-media-types';
  if (OF_THE_STATUS.has(name)) return false;
  return isOfStructure(cause.instancePointer) || cause.instancePointer === instancePointer;
}

/** True if a body, an item or its id differs from the description, so that items are not recognised; a single member does not count. */
function isOfStructure(pointer = ''): boolean {
  return /(?:^|\/(?:\d+|id))$/i.test(pointer);
}
