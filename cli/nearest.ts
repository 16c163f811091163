import leven from 'leven';

/** Largest distance of a typing error: a share of the word, but no less than two swapped letters. */
const SHARE = 0.4;
const SWAP = 2;

const distance = (word: string, candidate: string): number => {
  const [a, b] = [word.toLowerCase(), candidate.toLowerCase()];
  return a.length > 2 && (b.includes(a) || a.includes(b)) ? 1 : leven(a, b);
};

/** The known words that are a typing error away, nearest first, at most three. */
export function nearest(word: string, known: readonly string[]): string[] {
  const limit = Math.max(SWAP, Math.floor(word.length * SHARE));
  return known
    .map((candidate) => ({ candidate, far: distance(word, candidate) }))
    .filter(({ far }) => far <= limit)
    .toSorted((a, b) => a.far - b.far)
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

/** `did you mean x or y?`, or an empty text. */
export function didYouMean(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return near.length === 0 ? '' : `did you mean ${near.join(' or ')}?`;
}
