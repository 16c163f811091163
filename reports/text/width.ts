import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';

/** Terminal columns of a text: colour codes have none, wide characters and emoji two. */
export const width = stringWidth;

/** Pads with blanks on the right up to `columns`. */
export function pad(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - width(text)));
}

/** Pads with blanks on the left up to `columns`. */
function padStart(text: string, columns: number): string {
  return ' '.repeat(Math.max(0, columns - width(text))) + text;
}

/** Cuts an uncoloured text to `columns`, ending in `…` where something is left out. */
export function fit(text: string, columns: number): string {
  if (width(text) <= columns) return text;
  let kept = '';
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (width(kept) + width(segment) > columns - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** Cuts an uncoloured text to `columns` with `…` in its middle: texts with the same beginning stay different. */
export function fitMiddle(text: string, columns: number): string {
  if (width(text) <= columns) return text;
  const characters = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
  const take = (from: readonly string[], room: number): readonly string[] => {
    const last = from.findIndex((_, index) => width(from.slice(0, index + 1).join('')) > room);
    return last === -1 ? from : from.slice(0, last);
  };
  const tail = take(characters.toReversed(), Math.floor((columns - 1) / 2)).toReversed();
  const head = take(characters, columns - 1 - width(tail.join('')));
  return `${head.join('')}…${tail.join('')}`;
}

/** Rows in aligned columns: texts to the left, numbers to the right. */
export function aligned(rows: readonly (readonly string[])[], isText: (column: number) => boolean): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => width(row[column] ?? ''))));
  return rows.map((row) =>
    row
      .map((cell, column) => (isText(column) ? pad : padStart)(cell, widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** Breaks a text into lines of at most `columns` (no less than 20), at blanks where it can, else within a word. */
export function wrap(text: string, columns: number): string[] {
  return wrapAnsi(text, Math.max(20, columns), { hard: true, trim: true }).split('\n');
}

/** A text in lines of at most `columns`, the first after `lead`, the others indented by its width or by `indent`. */
export function hang(lead: string, text: string, columns: number, indent = width(lead)): string[] {
  return wrap(text, columns - Math.max(indent, width(lead))).map(
    (line, index) => `${index === 0 ? lead : ' '.repeat(indent)}${line}`,
  );
}
