/** A quantifier; the group is the minimum number of repetitions. */
const QUANTIFIER = /[*+?]\??|\{(\d+)(?:,\d*)?\}\??/y;

/** A class, an escape, or a character. */
const ATOM = /\[(?:\\.|[^\]\\])*\]|\\(?:u\{[^}]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[pP]\{[^}]*\}|.)|[^()|]/sy;

const GROUP = /\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?/y;

/** Approximate minimum length of a matching text; of several alternatives the longest counts. */
export function minLengthOf(pattern: string): number {
  const open: { longest: number; here: number }[] = [{ longest: 0, here: 0 }];
  let at = 0;
  const take = (expression: RegExp): RegExpExecArray | undefined => {
    expression.lastIndex = at;
    const found = expression.exec(pattern) ?? undefined;
    at += found?.[0].length ?? 0;
    return found;
  };
  const add = (length: number): void => {
    const level = open.at(-1);
    if (level !== undefined) level.here += length * times(take(QUANTIFIER));
  };
  while (at < pattern.length) {
    if (take(GROUP) !== undefined) open.push({ longest: 0, here: 0 });
    else if (pattern[at] === '|') {
      at += 1;
      const level = open.at(-1);
      if (level !== undefined) Object.assign(level, { longest: Math.max(level.longest, level.here), here: 0 });
    } else if (pattern[at] === ')') {
      at += 1;
      const closed = open.length > 1 ? open.pop() : undefined;
      add(Math.max(closed?.longest ?? 0, closed?.here ?? 0));
    } else add(take(ATOM)?.[0] === '^' || pattern[at - 1] === '$' ? 0 : 1);
  }
  return open.reduce((sum, { longest, here }) => sum + Math.max(longest, here), 0);
}

function times(quantifier: RegExpExecArray | undefined): number {
  if (quantifier === undefined) return 1;
  return quantifier[1] === undefined ? Number(quantifier[0].startsWith('+')) : Number(quantifier[1]);
}
