const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u;
const COMBINING = /\p{Mark}/u;
// eslint-disable-next-line no-control-regex
const STYLE = /\u001b\[[0-9;]*m/g;

/** Columns that a text takes on a terminal; colour codes take none, East Asian wide characters two. */
export function width(text: string): number {
  let columns = 0;
  for (const character of text.replace(STYLE, '')) columns += widthOf(character);
  return columns;
}

function widthOf(character: string): number {
  if (COMBINING.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/** Pads with blanks on the right up to `columns`. */
export function pad(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - width(text)));
}

/** Cuts an uncoloured text to `columns`, ending in `…` where something is left out. */
export function fit(text: string, columns: number): string {
  if (width(text) <= columns) return text;
  let kept = '';
  let used = 0;
  for (const character of text) {
    used += widthOf(character);
    if (used > columns - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

/** Breaks a text into lines of at most `columns`, at blanks where it can, else within a word. */
export function wrap(text: string, columns: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, Math.max(20, columns)));
}

function wrapLine(line: string, columns: number): string[] {
  const lines: string[] = [];
  let current = '';
  for (const word of line.split(' ').flatMap((each) => pieces(each, columns))) {
    if (current !== '' && width(current) + 1 + width(word) > columns) {
      lines.push(current);
      current = word;
    } else current = current === '' ? word : `${current} ${word}`;
  }
  return [...lines, current];
}

/** A word that fits no line, in parts that do. */
function pieces(word: string, columns: number): string[] {
  if (word.length <= columns / 2 || width(word) <= columns) return [word];
  const parts = [''];
  for (const character of word) {
    if (width(parts.at(-1) ?? '') + widthOf(character) > columns) parts.push('');
    parts[parts.length - 1] += character;
  }
  return parts;
}
