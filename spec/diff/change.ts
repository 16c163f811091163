import type { Operation } from '../contract.ts';

/** How much a change matters to clients of the first description. */
export type ChangeClass = 'breaking' | 'risky' | 'harmless';

/** One difference between two descriptions. */
export interface Change {
  readonly class: ChangeClass;
  readonly side: 'request' | 'response' | 'operation';
  /** Id of the (first) operation with this change. */
  readonly operation: string;
  /** Other operations that share the changed schema. */
  readonly others: readonly string[];
  /** Into the first description; absent for additions. */
  readonly pointerA?: string;
  /** Into the second description; absent for removals. */
  readonly pointerB?: string;
  readonly message: string;
}

/** A change before it is known which operations share it. */
export type Difference = Omit<Change, 'operation' | 'others' | 'message'> & {
  /** What changed, as seen from the operation, for example `name in the request body`. */
  readonly subject: string;
  /** How it changed, for example `is now required`. */
  readonly words: string;
};

export type ReportDifference = (difference: Difference) => void;

/** Receives the differences of one subject. */
export type ReportChange = (cls: ChangeClass, words: string) => void;

export function reporterOf(report: ReportDifference, subject: Omit<Difference, 'class' | 'words'>): ReportChange {
  return (cls, words) => report({ ...subject, class: cls, words });
}

/** Two versions of one operation. */
export interface OperationPair {
  readonly a: Operation;
  readonly b: Operation;
}

export function pointerOf(operation: Operation): string {
  return operation.forms[0]?.pointer ?? '';
}

const CLASSES: readonly ChangeClass[] = ['breaking', 'risky', 'harmless'];

function byWeight(a: Change, b: Change): number {
  return (
    CLASSES.indexOf(a.class) - CLASSES.indexOf(b.class) ||
    a.operation.localeCompare(b.operation) ||
    a.message.localeCompare(b.message)
  );
}

/** Merges equal changes of a shared schema; the most severe first, then by operation. */
export function mergeShared(
  found: readonly { readonly operation: string; readonly difference: Difference }[],
): readonly Change[] {
  const changes = new Map<string, { first: string; difference: Difference; readonly seen: Set<string> }>();
  for (const { operation, difference } of found) {
    const { pointerA, pointerB, words } = difference;
    const key = [difference.class, difference.side, pointerA, pointerB, words].join(' ');
    const known = changes.get(key) ?? { first: operation, difference, seen: new Set<string>() };
    known.seen.add(operation);
    const isNearer = difference.subject.length < known.difference.subject.length;
    changes.set(key, isNearer ? { ...known, first: operation, difference } : known);
  }
  return [...changes.values()]
    .map(({ first, difference: { subject, words, ...difference }, seen }) => ({
      ...difference,
      operation: first,
      others: [...seen].filter((id) => id !== first),
      message: `${subject} ${words}`,
    }))
    .sort(byWeight);
}
