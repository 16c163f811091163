import { isServed } from './checks/media.ts';
import { checkOf } from './finding-codes.ts';
import type { CheckName } from './finding-codes.ts';
import type { Violation } from './violation.ts';

/** Checks of single exchanges whose violations leave a success as it is: it took effect, and its content can be judged. */
const OF_THE_HEAD: ReadonlySet<CheckName> = new Set(['status-documented', 'content-type-offered', 'headers-declared']);

/** Names of codes that judge whether a request was served and with which status, whatever the content of the response. */
const OF_THE_STATUS: ReadonlySet<string> = new Set(['accepted', 'served', 'status', 'refused', 'readable', 'stored']);

/** True for a violation of a single exchange after which nothing else can be concluded from the exchange. */
export function isUnusable(violation: Violation): boolean {
  return (
    !violation.exchanges.every(isServed) ||
    (!OF_THE_HEAD.has(checkOf(violation.code)) && isOfStructure(violation.instancePointer))
  );
}

/**
 * True where the violation of a single exchange explains another one that the same exchange shows: nothing came, the
 * request was refused, or what came cannot be read. A wrong status of a success does not explain that it was served.
 */
export function explains(cause: Violation, { code, instancePointer }: Violation): boolean {
  if (!cause.exchanges.every(isServed)) return true;
  const name = code.slice(code.indexOf('/') + 1);
  const check = checkOf(cause.code);
  if (check === 'status-documented') return name === 'status';
  if (OF_THE_HEAD.has(check)) return name === 'media-type' || checkOf(code) === 'response-media-types';
  if (OF_THE_STATUS.has(name)) return false;
  return isOfStructure(cause.instancePointer) || cause.instancePointer === instancePointer;
}

/** True where a body, an item or its id is not as described, so that items are not recognised; a single member is no reason. */
function isOfStructure(pointer = ''): boolean {
  return /(?:^|\/(?:\d+|id))$/i.test(pointer);
}
