/** How much a change matters to those who call the API as it was. */
export type ChangeClass = 'breaking' | 'risky' | 'harmless';

/** One difference between two descriptions. */
export interface Change {
  readonly class: ChangeClass;
  readonly side: 'request' | 'response' | 'operation';
  /** Id of the (first) operation that it is seen in. */
  readonly operation: string;
  /** Other operations that share the same changed schema. */
  readonly others: readonly string[];
  /** Into the first description, where it has what the change is about. */
  readonly pointerA?: string;
  /** Into the second description. */
  readonly pointerB?: string;
  readonly message: string;
}

/** A change before it is known which operations share it. */
export type Difference = Omit<Change, 'operation' | 'others' | 'message'> & {
  /** What it is that changed, in words, seen from the operation: `name in the request body`. */
  readonly subject: string;
  readonly words: string;
};

/** Takes differences as they are found. */
export type Tell = (difference: Difference) => void;

const CLASSES: readonly ChangeClass[] = ['breaking', 'risky', 'harmless'];

/** Worst first, then by operation. */
export function byWeight(a: Change, b: Change): number {
  return (
    CLASSES.indexOf(a.class) - CLASSES.indexOf(b.class) ||
    a.operation.localeCompare(b.operation) ||
    a.message.localeCompare(b.message)
  );
}

/** Tells the same change of a shared schema once, with all operations that it is seen in. */
export function gather(
  found: readonly { readonly operation: string; readonly difference: Difference }[],
): readonly Change[] {
  const changes = new Map<
    string,
    { readonly first: string; readonly difference: Difference; readonly seen: Set<string> }
  >();
  for (const { operation, difference } of found) {
    const key = [difference.class, difference.side, difference.pointerA, difference.pointerB, difference.words].join(
      ' ',
    );
    const known = changes.get(key) ?? { first: operation, difference, seen: new Set<string>() };
    const nearer = difference.subject.length < known.difference.subject.length;
    known.seen.add(operation);
    changes.set(key, nearer ? { first: operation, difference, seen: known.seen } : known);
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
