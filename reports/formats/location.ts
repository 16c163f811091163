import { readFileSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
import { isMap, isSeq, LineCounter, parseDocument } from 'yaml';
import type { Document } from 'yaml';

/** A place in the description file, 1-based. */
export interface Location {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/**
 * Finds lines of JSON pointers in a description, YAML or JSON: the line of the nearest part of the pointer that the file has.
 * A description that is no file to be read has no places.
 */
export function locate(source: string): (pointer: string | undefined) => Location | undefined {
  let read: { document: Document; lines: LineCounter; file: string } | undefined | null = null;
  return (pointer) => {
    if (read === null) read = open(source);
    if (read === undefined) return undefined;
    const offset = pointer === undefined ? 0 : offsetOf(read.document, pointer);
    const { line, col } = read.lines.linePos(offset);
    return { file: read.file, line: Math.max(1, line), column: Math.max(1, col) };
  };
}

function open(source: string): { document: Document; lines: LineCounter; file: string } | undefined {
  try {
    const lines = new LineCounter();
    const document = parseDocument(readFileSync(source, 'utf8'), {
      lineCounter: lines,
      logLevel: 'silent',
      uniqueKeys: false,
    });
    const near = isAbsolute(source) ? relative(process.cwd(), source) : source;
    return { document, lines, file: near.startsWith('..') ? source : near };
  } catch {
    return undefined;
  }
}

function offsetOf(document: Document, pointer: string): number {
  let node: unknown = document.contents;
  let offset = 0;
  for (const raw of pointer
    .replace(/^[^/]*/, '')
    .split('/')
    .slice(1)) {
    const key = decode(raw);
    if (isSeq(node)) {
      node = node.items[Number(key)];
      offset = startOf(node) ?? offset;
    } else if (isMap(node)) {
      const pair = node.items.find((item) => String(item.key) === key);
      if (pair === undefined) return offset;
      offset = startOf(pair.key) ?? offset;
      node = pair.value;
    } else return offset;
  }
  return offset;
}

function decode(part: string): string {
  const plain = part.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}

function startOf(node: unknown): number | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node) || !Array.isArray(node.range)) return undefined;
  const start: unknown = node.range[0];
  return typeof start === 'number' ? start : undefined;
}
