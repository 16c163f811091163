import { checkOf } from '../../spec/index.ts';
import type { FindingCode, Violation } from '../../spec/index.ts';
import type { Session } from './session.ts';

/** Refusals that contradict any description. */
const CONTRADICTIONS: ReadonlySet<string> = new Set([
  'valid-request-served/token-refused',
  'valid-request-served/not-there',
] satisfies FindingCode[]);

/** False where the API does not guarantee what the code stands for, so that the violation is none. */
export function isGuaranteed(
  { knowledge }: Pick<Session, 'knowledge'>,
  { code, operation, grade }: Pick<Violation, 'code' | 'operation' | 'grade'>,
): boolean {
  switch (checkOf(code)) {
    case 'created-reads-back':
    case 'updated-reads-back':
      // A test that saw that the service stores what it is given says so by the grade.
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
