import { diffArrays } from 'diff';
import type { ArrayChange } from 'diff';
import { clip } from '../../text/visible.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';

const TOKENS = 400;
const LIMIT = 8000;
/** Texts with at least this share of common words are similar. */
const ALIKE = 0.6;

type Change = ArrayChange<string>;

/**
 * Two texts with the words marked that only one of them contains; long texts are not compared. In similar texts every
 * difference counts; in sentences that merely share words, only numbers and ids that replace each other do (`20` and
 * `10` before the same `items`).
 */
export function diff(left: string, right: string): { readonly left: Markup; readonly right: Markup } {
  const [a, b] = [tokens(clip(left, LIMIT)), tokens(clip(right, LIMIT))];
  if (a.length > TOKENS || b.length > TOKENS) return { left: html`${a.join('')}`, right: html`${b.join('')}` };
  const changes = diffArrays(a, b);
  const shared = words(changes.filter((change) => !change.added && !change.removed).flatMap((change) => change.value));
  const alike = (2 * shared) / Math.max(1, words(a) + words(b)) >= ALIKE;
  const isMarked = (change: Change, index: number): boolean =>
    alike || (shared > 0 && isReplacement(change, changes[change.removed ? index + 1 : index - 1]));
  const side = (kind: 'del' | 'ins', absent: 'added' | 'removed'): Markup =>
    html`${changes.map((change, index) => {
      const text = change.value.join('');
      if (change[absent]) return '';
      const isCommon = !change.added && !change.removed;
      return isCommon || text.trim() === '' || !isMarked(change, index)
        ? html`${text}`
        : html`<mark class="${kind}">${text}</mark>`;
    })}`;
  return { left: side('del', 'added'), right: side('ins', 'removed') };
}

function isReplacement(change: Change, other: Change | undefined): boolean {
  if (other === undefined || change.added === other.added || change.removed === other.removed) return false;
  return [change, other].every(({ value }) => words(value) === 1 && /\d/.test(value.join('')));
}

function words(list: readonly string[]): number {
  return list.filter((token) => token.trim() !== '').length;
}

function tokens(text: string): string[] {
  return text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
}
