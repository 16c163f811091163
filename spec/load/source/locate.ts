import { LineCounter, isMap, isScalar, isSeq, parseDocument } from 'yaml';
import { pointerTokens } from '../../pointer.ts';
import type { Document, Node, Pair } from 'yaml';

/** Where something stands in a text; both count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Finds where in a JSON or YAML text the value (or the nearest one above it) that a pointer names begins. */
export function locator(text: string): (pointer: string) => Position | undefined {
  const counter = new LineCounter();
  let document: Document.Parsed | undefined;
  return (pointer) => {
    document ??= parseDocument(text, { lineCounter: counter, uniqueKeys: false, merge: true, logLevel: 'silent' });
    const offset = offsetOf(document.contents, pointerTokens(pointer));
    if (offset === undefined) return undefined;
    const { line, col } = counter.linePos(offset);
    return { line, column: col };
  };
}

function keyIs(pair: Pair, token: string): boolean {
  return String(isScalar(pair.key) ? pair.key.value : pair.key) === token;
}

/** Offset of the key (in a map) or of the item (in a list) that the last token found names. */
function offsetOf(root: Node | null, tokens: readonly string[]): number | undefined {
  let node: unknown = root;
  let offset = root?.range?.[0];
  for (const token of tokens) {
    if (isMap(node)) {
      const pair = node.items.find((item) => keyIs(item, token));
      if (pair === undefined) return offset;
      offset = isScalar(pair.key) ? (pair.key.range?.[0] ?? offset) : offset;
      node = pair.value;
    } else if (isSeq(node)) {
      const item: unknown = node.items[Number(token)];
      if (item === undefined) return offset;
      node = item;
      offset = isMap(item) || isSeq(item) || isScalar(item) ? (item.range?.[0] ?? offset) : offset;
    } else return offset;
  }
  return offset;
}
