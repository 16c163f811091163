import type { Violation } from '../../spec/index.ts';
import type { Session } from '../kit/session.ts';
import type { Place } from './places.ts';
import { caseKey } from './violation.ts';
import type { CaseViolation } from './violation.ts';

/** A shrunk request that differs in more places than these does not show a root cause. */
const FEW_PLACES = 6;

/** A defect that was found and reported. */
export interface ReportedDefect {
  readonly violation: Violation;
  /** The members and parameters that matter. */
  readonly places: readonly Place[];
  /** The text at all of these places: the same text elsewhere is the same defect. */
  readonly text?: string | undefined;
  /** True for a defect that does not depend on the request. */
  readonly isIntermittent?: boolean;
  readonly aspects?: readonly string[] | undefined;
}

const DEFECTS = new WeakMap<Session, Map<string, ReportedDefect[]>>();

/** Defects that any property of the operation has found so far, so that no property reports them again with another subject. */
export function defectsIn(session: Session, key: string): ReportedDefect[] {
  const all = DEFECTS.get(session) ?? new Map<string, ReportedDefect[]>();
  DEFECTS.set(session, all);
  const defects = all.get(key) ?? [];
  all.set(key, defects);
  return defects;
}

/** True where another property has already reported a violation like this. */
export function isKnown(session: Session, violation: CaseViolation): boolean {
  return defectsIn(session, caseKey(violation)).length > 0;
}

/** True for a defect that differs from a known one only in where it shows. */
export function isSameDefect(known: ReportedDefect, { isIntermittent, places, text }: ReportedDefect): boolean {
  return known.isIntermittent === true
    ? isIntermittent === true || places.length === 0 || places.length > FEW_PLACES
    : text !== undefined && known.text === text;
}
