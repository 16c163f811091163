import { readFileSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
import { locator } from '../../spec/locate.ts';

/** A place in the description file, 1-based. */
export interface Location {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Finds the places of JSON pointers in a description file; undefined if the description is not a readable file. */
export function locate(source: string): (pointer: string | undefined) => Location | undefined {
  let find: ReturnType<typeof locator> | undefined | null = null;
  const file = isAbsolute(source) ? relative(process.cwd(), source) : source;
  return (pointer = '') => {
    if (find === null) find = open(source);
    const at = find?.(decoded(pointer.replace(/^[^/]*/, '')));
    return at === undefined ? undefined : { file: file.startsWith('..') ? source : file, ...at };
  };
}

function open(source: string): ReturnType<typeof locator> | undefined {
  try {
    return locator(readFileSync(source, 'utf8'));
  } catch {
    return undefined;
  }
}

function decoded(pointer: string): string {
  try {
    return decodeURIComponent(pointer);
  } catch {
    return pointer;
  }
}
