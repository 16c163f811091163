import type { Session } from '../../kit/session.ts';
import type { Violation } from '../../kit/context.ts';
import type { Place } from './places.ts';

/** A defect that was found and told. */
export interface Told {
  readonly violation: Violation;
  readonly places: readonly Place[];
  /** What stands at the places, where that is telling: the same text elsewhere is the same defect. */
  readonly essence?: string;
  /** True for a defect that no input explains. */
  readonly rare?: boolean;
  /** What the hunt calls its case. */
  readonly named?: string;
}

const KNOWN = new WeakMap<Session, Map<string, Told[]>>();

/** What properties of the same operation have found so far, so that none tells it again in other words. */
export function toldOf(session: Session, key: string): Told[] {
  const all = KNOWN.get(session) ?? new Map<string, Told[]>();
  KNOWN.set(session, all);
  const told = all.get(key) ?? [];
  all.set(key, told);
  return told;
}
