import { clip } from '../../text/visible.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';

const TOKENS = 400;
const LIMIT = 8000;

/** Two texts with the words marked that only one of them has; texts of many words are not compared. */
export function diff(left: string, right: string): { readonly left: Markup; readonly right: Markup } {
  const a = tokens(clip(left, LIMIT));
  const b = tokens(clip(right, LIMIT));
  if (a.length > TOKENS || b.length > TOKENS) return { left: html`${a.join('')}`, right: html`${b.join('')}` };
  const common = commonTokens(a, b);
  if (common.size === 0) return { left: html`${a.join('')}`, right: html`${b.join('')}` };
  const inB = new Set(common.values());
  return { left: marked(a, (index) => common.has(index), 'del'), right: marked(b, (index) => inB.has(index), 'ins') };
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
