import { fit } from '../text/width.ts';

/** Where lines go: standard output, or a test's list. */
export interface LineStream {
  write(text: string): unknown;
}

/** Output of lines, and on a terminal one live line below them that is overwritten. */
export interface Screen {
  lines(lines: readonly string[]): void;
  /** Shows the live line; without a terminal it does nothing. The text is cut to the width before it is coloured. */
  status(text: string, colour: (text: string) => string): void;
  clear(): void;
}

const ERASE = '\r\u001b[2K';

export function createScreen(stream: LineStream, isTTY: boolean, columns: () => number): Screen {
  let shown = false;
  const clear = (): void => {
    if (shown) stream.write(ERASE);
    shown = false;
  };
  return {
    lines(lines) {
      if (lines.length === 0) return;
      clear();
      stream.write(`${lines.join('\n')}\n`);
    },
    status(text, colour) {
      if (!isTTY) return;
      stream.write(`${ERASE}${colour(fit(text, Math.max(10, columns() - 1)))}`);
      shown = true;
    },
    clear,
  };
}
