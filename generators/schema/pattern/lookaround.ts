/** Removes lookaheads and lookbehinds; the caller tests generated texts against the full pattern. */
export function withoutLookarounds(pattern: string): string {
  let result = '';
  let index = 0;
  while (index < pattern.length) {
    if (/^\(\?<?[=!]/.test(pattern.slice(index, index + 4))) {
      index = endOfGroup(pattern, index);
    } else {
      const step = pattern[index] === '\\' ? 2 : 1;
      result += pattern.slice(index, index + step);
      index += step;
    }
  }
  return result;
}

function endOfGroup(pattern: string, start: number): number {
  let depth = 0;
  let inClass = false;
  for (let index = start; index < pattern.length; index += 1) {
    const character = pattern[index];
    if (character === '\\') index += 1;
    else if (inClass) inClass = character !== ']';
    else if (character === '[') inClass = true;
    else if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    if (depth === 0) return index + 1;
  }
  return pattern.length;
}
