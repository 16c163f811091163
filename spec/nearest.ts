import leven from 'leven';

/** Largest distance of a typing error, as a share of the word. */
const SHARE = 0.4;

const sorted = (word: string): string => Array.from(word).toSorted().join('');

/** Without the dashes of a flag, and in lower case. */
const bare = (word: string): string => word.replace(/^-+/u, '').toLowerCase();

/** Edits between two words; a part of a word and two swapped letters count as one. */
function distance(word: string, candidate: string): number {
  const [a, b] = [bare(word), bare(candidate)];
  if (a.length > 2 && (b.includes(a) || a.includes(b))) return 1;
  const edits = leven(a, b);
  return edits === 2 && sorted(a) === sorted(b) ? 1 : edits;
}

/** The known words that are a typing error away, nearest first, at most three. */
export function nearest(word: string, known: readonly string[]): string[] {
  const limit = Math.max(1, Math.floor(word.length * SHARE));
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
