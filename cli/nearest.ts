/** Damerau-Levenshtein distance (optimal string alignment) of two words. */
export function distance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      let best = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        best = Math.min(best, (beforeLast[column - 2] ?? 0) + 1);
      current.push(best);
    }
    beforeLast = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}

const ease = (word: string, candidate: string): number => {
  const [a, b] = [word.toLowerCase(), candidate.toLowerCase()];
  if (a.length > 2 && (b.includes(a) || a.includes(b))) return 1;
  return distance(a, b);
};

/** The known words that are a typing error away, nearest first, at most three. */
export function nearest(word: string, known: readonly string[]): string[] {
  const limit = Math.max(1, Math.floor(word.length * 0.4));
  return known
    .map((candidate) => ({ candidate, far: ease(word, candidate) }))
    .filter(({ far }) => far <= limit)
    .sort((a, b) => a.far - b.far)
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

/** `did you mean x or y?`, or an empty text. */
export function didYouMean(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return near.length === 0 ? '' : `did you mean ${near.join(' or ')}?`;
}
