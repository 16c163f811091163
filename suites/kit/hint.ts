import { checkOf, isOfGateway } from '../../spec/index.ts';
import type { CheckName, Violation } from '../../spec/index.ts';
import type { Session } from './session.ts';

const REFUSALS: ReadonlySet<string> = new Set(['valid-request-served', 'clue-accepted'] satisfies CheckName[]);

/** Advice where a gateway answered, and where a valid request was refused and the configuration may be the reason. */
export function hintOf(
  { knowledge, history }: Pick<Session, 'knowledge' | 'history'>,
  { code, exchanges }: Violation,
): string | undefined {
  const last = exchanges.at(-1);
  const { status = 0 } = last?.response ?? {};
  if (checkOf(code) === 'no-server-error' && isOfGateway(status))
    return `${status} usually comes from a gateway. If it sends Retry-After, the run waits, and repeats the request where that is safe.`;
  if (last === undefined || status < 400 || status >= 500 || !REFUSALS.has(checkOf(code))) return undefined;
  return knowledge.hintFor?.(last, history.hasServed(last.operation));
}
