import { LineCounter, isMap, isNode, isScalar, isSeq, parseDocument } from 'yaml';
import { pointerTokens } from './pointer.ts';

/** A position in a text; line and column start at 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The offset of a place in a text, by the tokens of its pointer. */
type Finder = (tokens: readonly string[]) => number;

/** Finds the position of a JSON pointer, or of its longest existing prefix, in a JSON or YAML text. The first call parses it. */
export function locator(text: string): (pointer: string) => Position {
  const counter = new LineCounter();
  let find: Finder | undefined;
  return (pointer) => {
    find ??= jsonFinder(text, counter) ?? yamlFinder(text, counter);
    const { line, col } = counter.linePos(find(pointerTokens(pointer)));
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
}

/** A value in a JSON text: the offset of its key (in an object) or its own, and what is in it, by key or index. */
interface Place {
  readonly offset: number;
  readonly inner?: ReadonlyMap<string, Place>;
}

/** Reads a text that is JSON; undefined for any other. The YAML parser takes seconds for the largest descriptions. */
function jsonFinder(text: string, counter: LineCounter): Finder | undefined {
  try {
    JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
  counter.addNewLine(0);
  for (const { index } of text.matchAll(/\n/g)) counter.addNewLine(index + 1);
  const root = jsonPlaces(text);
  return (tokens) => {
    let place = root;
    for (const token of tokens) {
      const inner = place.inner?.get(token);
      if (inner === undefined) break;
      place = inner;
    }
    return place.offset;
  };
}

/** Strings, brackets and other values; commas and colons carry no information in a text that is JSON. */
const JSON_TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]]|[^\s{}[\],:"\uFEFF]+/g;

function jsonPlaces(text: string): Place {
  const tokens = text.matchAll(JSON_TOKEN);
  const next = (): { token: string; offset: number } => {
    const { 0: token = ']', index = 0 } = tokens.next().value ?? {};
    return { token, offset: index };
  };
  const read = (token: string, offset: number): Place => {
    if (token !== '{' && token !== '[') return { offset };
    const inner = new Map<string, Place>();
    for (let first = next(); first.token !== '}' && first.token !== ']'; first = next())
      if (token === '[') inner.set(String(inner.size), read(first.token, first.offset));
      else inner.set(JSON.parse(first.token) as string, read(next().token, first.offset));
    return { offset, inner };
  };
  const { token, offset } = next();
  return read(token, offset);
}

function yamlFinder(text: string, lineCounter: LineCounter): Finder {
  const document = parseDocument(text, { lineCounter, uniqueKeys: false, merge: true, logLevel: 'silent' });
  return (tokens) => offsetOf(document.contents, tokens);
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
