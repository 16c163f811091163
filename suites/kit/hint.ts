import { checkOf, isOfGateway } from '../../spec/index.ts';
import type { CheckName, Violation } from '../../spec/index.ts';
import { isOfFirewall } from './guaranteed.ts';
import type { Session } from './session.ts';

const REFUSALS: ReadonlySet<string> = new Set(['valid-request-served', 'clue-accepted'] satisfies CheckName[]);

/** Advice where a gateway answered, and where a valid request was refused and the configuration may be the reason. */
export function hintOf(session: Pick<Session, 'knowledge' | 'history'>, violation: Violation): string | undefined {
  const { knowledge, history } = session;
  const { code, exchanges } = violation;
  const last = exchanges.at(-1);
  const { status = 0 } = last?.response ?? {};
  if (checkOf(code) === 'no-server-error' && isOfGateway(status))
    return `${status} usually comes from a gateway. If it sends Retry-After, the run waits, and repeats the request where that is safe.`;
  if (isOfFirewall(session, violation))
    return `The ${status} is no JSON, and other requests to this operation succeed: a firewall in front of the service probably refuses this one. Test without it, or let it pass such requests.`;
  if (
    code === 'answered/no-response' &&
    last?.failure?.kind === 'reset' &&
    history.hasServed(last.operation, last.form)
  )
    return 'Either the service fails at this request, or a firewall in front of it resets the connection. The log of the service shows which.';
  if (last === undefined || status < 400 || status >= 500 || !REFUSALS.has(checkOf(code))) return undefined;
  return knowledge.hintFor?.(last, history.hasServed(last.operation));
}
