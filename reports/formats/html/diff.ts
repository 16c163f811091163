import { clip } from '../../text/visible.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';

const TOKENS = 400;
const LIMIT = 8000;
const ALIKE = 0.6;
const SHORT = 3;

/** Two texts with the words marked that only one of them contains; long texts are not compared. */
export function diff(left: string, right: string): { readonly left: Markup; readonly right: Markup } {
  const a = tokens(clip(left, LIMIT));
  const b = tokens(clip(right, LIMIT));
  if (a.length > TOKENS || b.length > TOKENS) return { left: html`${a.join('')}`, right: html`${b.join('')}` };
  const { left: same, right: sameToo } = unmarked(a, b, commonTokens(a, b));
  return { left: marked(a, (index) => same.has(index), 'del'), right: marked(b, (index) => sameToo.has(index), 'ins') };
}

/**
 * The tokens not to mark. In similar texts every difference counts; in sentences that merely share words, only short parts that replace
 * each other do (`20` and `10` before the same `items`).
 */
function unmarked(
  a: readonly string[],
  b: readonly string[],
  common: ReadonlyMap<number, number>,
): { left: Set<number>; right: Set<number> } {
  const [left, right] = [new Set(common.keys()), new Set(common.values())];
  const shared = [...left].filter((index) => isWord(a[index])).length;
  if ((2 * shared) / Math.max(1, a.filter(isWord).length + b.filter(isWord).length) >= ALIKE) return { left, right };
  let [i, j] = [0, 0];
  for (const [x, y] of [...common, [a.length, b.length] as const]) {
    const replaced = shared > 0 && x > i && y > j && x - i <= SHORT && y - j <= SHORT;
    if (!replaced) {
      for (let at = i; at < x; at += 1) left.add(at);
      for (let at = j; at < y; at += 1) right.add(at);
    }
    [i, j] = [x + 1, y + 1];
  }
  return { left, right };
}

function isWord(token: string | undefined): boolean {
  return token !== undefined && token.trim() !== '';
}

function tokens(text: string): string[] {
  return text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
}

function marked(words: readonly string[], isCommon: (index: number) => boolean, kind: 'del' | 'ins'): Markup {
  const runs: { text: string; same: boolean }[] = [];
  words.forEach((text, index) => {
    const same = isCommon(index) || /^\s+$/.test(text);
    const last = runs.at(-1);
    if (last !== undefined && last.same === same) last.text += text;
    else runs.push({ text, same });
  });
  return html`${runs.map((run) => (run.same ? html`${run.text}` : html`<mark class="${kind}">${run.text}</mark>`))}`;
}

/** Longest common subsequence: index in `a` to index in `b`. */
function commonTokens(a: readonly string[], b: readonly string[]): Map<number, number> {
  const columns = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * columns);
  const at = (i: number, j: number): number => lengths[i * columns + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      lengths[i * columns + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const pairs = new Map<number, number>();
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) pairs.set(i++, j++);
    else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return pairs;
}
