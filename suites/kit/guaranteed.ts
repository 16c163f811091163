import { checkOf } from '../../spec/index.ts';
import type { FindingCode, Violation } from '../../spec/index.ts';
import type { Session } from './session.ts';

/** Codes of refusals that contradict any description. */
const CONTRADICTIONS: ReadonlySet<string> = new Set([
  'valid-request-served/token-refused',
  'valid-request-served/not-there',
] satisfies FindingCode[]);

/** False where the API does not guarantee what the violation is about, so that it must not be reported. */
export function isGuaranteed(
  { knowledge }: Pick<Session, 'knowledge'>,
  { code, operation, grade }: Pick<Violation, 'code' | 'operation' | 'grade'>,
): boolean {
  switch (checkOf(code)) {
    case 'created-reads-back':
    case 'updated-reads-back':
      // Tests that have seen that the service stores what it is sent report with the grade `inferred`.
      return grade === 'inferred' || knowledge.guarantees('storage', operation);
    case 'refused-changes-nothing':
      return knowledge.guarantees('storage', operation);
    case 'valid-request-served':
      return CONTRADICTIONS.has(code) || knowledge.guarantees('valid-requests-succeed', operation);
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
