import { LineCounter, isMap, isNode, isScalar, isSeq, parseDocument } from 'yaml';
import { pointerTokens } from './pointer.ts';
import type { Document } from 'yaml';

/** A position in a text; line and column start at 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Finds the position of a JSON pointer, or of its longest existing prefix, in a JSON or YAML text. The first call parses it. */
export function locator(text: string): (pointer: string) => Position {
  const counter = new LineCounter();
  let document: Document | undefined;
  return (pointer) => {
    document ??= parseDocument(text, { lineCounter: counter, uniqueKeys: false, merge: true, logLevel: 'silent' });
    const { line, col } = counter.linePos(offsetOf(document.contents, pointerTokens(pointer)));
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}

/** The offset of the key (in a map) or item (in a list) of the last token that exists. */
function offsetOf(root: unknown, tokens: readonly string[]): number {
  let node = root;
  let offset = startOf(root) ?? 0;
  for (const token of tokens) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => String(isScalar(key) ? key.value : key) === token);
      if (pair === undefined) return offset;
      offset = startOf(pair.key) ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(token)];
      offset = startOf(node) ?? offset;
    } else return offset;
  }
  return offset;
}
