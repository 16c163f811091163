import { resourcesOf } from '../../domain/resources.ts';
import { checkOf } from '../../spec/index.ts';
import type { Exchange, FindingCode, Operation, Violation } from '../../spec/index.ts';
import type { Session } from './session.ts';

/** Codes of refusals that contradict any description. */
const CONTRADICTIONS: ReadonlySet<string> = new Set([
  'valid-request-served/token-refused',
  'valid-request-served/not-there',
] satisfies FindingCode[]);

/** False where the API does not guarantee what the violation is about, so that it must not be reported. */
export function isGuaranteed(
  { knowledge }: Pick<Session, 'knowledge'>,
  { code, operation, grade, exchanges }: Pick<Violation, 'code' | 'operation' | 'grade' | 'exchanges'>,
): boolean {
  const last = exchanges.at(-1);
  const isTenants = last !== undefined && knowledge.mayRefuse?.(last) === true;
  switch (checkOf(code)) {
    case 'created-reads-back':
    case 'updated-reads-back':
      // Tests that have seen that the service stores what it is sent report with the grade `inferred`.
      return grade === 'inferred' || knowledge.guarantees('storage', operation);
    case 'model-conformance':
      return code !== 'model-conformance/status' || !isTenants;
    case 'refused-changes-nothing':
      return knowledge.guarantees('storage', operation);
    case 'valid-request-served':
      if (CONTRADICTIONS.has(code)) return true;
      return knowledge.guarantees('valid-requests-succeed', operation) && !isTenants;
    case 'own-id':
      return code !== 'own-id/other' || knowledge.guarantees('storage', operation);
    case 'content-type-offered':
      return code !== 'content-type-offered/not-as-asked' || knowledge.guarantees('statuses', operation);
    case 'equal-json':
      return code === 'equal-json/status' || knowledge.guarantees('shapes', operation);
    case 'form-equivalence':
      return code !== 'form-equivalence/shape' || knowledge.guarantees('shapes', operation);
    default:
      return true;
  }
}

/**
 * True for a creation that is refused with 409, or with 403 to the full token, after others have succeeded in this form: how many items
 * may exist is not documented.
 */
export function mayBeFull(
  { contract, history }: Pick<Session, 'contract' | 'history'>,
  operation: Operation | undefined,
  { form, identity, response }: Exchange,
): boolean {
  const isCreation = resourcesOf(contract).some(({ create }) => create === operation);
  const isRefused = response?.status === 409 || (response?.status === 403 && identity === 'full');
  return isRefused && isCreation && history.hasServed(operation?.id ?? '', form);
}

/** Media types of the pages of firewalls; the errors of a service are JSON as a rule. */
const OF_PAGES: ReadonlySet<string | undefined> = new Set(['text/html', 'text/plain']);

/**
 * True where a page refuses the full token with 403 or 406 and the operation answers other requests: a firewall in front of the
 * service refuses texts and sizes that it takes for an attack.
 */
export function isOfFirewall(
  { history }: Pick<Session, 'history'>,
  { exchanges }: Pick<Violation, 'exchanges'>,
): boolean {
  const { operation = '', form, identity, response } = exchanges.at(-1) ?? {};
  const isRefused = response?.status === 403 || response?.status === 406;
  return isRefused && OF_PAGES.has(response.mediaType) && identity === 'full' && history.hasServed(operation, form);
}
