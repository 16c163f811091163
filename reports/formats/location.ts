import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { locator } from '../../spec/locate.ts';
import { decodePercent } from '../../spec/serialise/encode.ts';

/** A place in the description file, 1-based. */
export interface Location {
  /** Relative to the repository, with `/`. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Where CI checked the repository out; elsewhere the working directory. */
export function repositoryRoot(): string {
  return process.env['GITHUB_WORKSPACE'] ?? process.env['BUILD_SOURCESDIRECTORY'] ?? process.cwd();
}

/** Finds JSON pointers in the description; undefined if that is not a readable file of the repository. */
export function locate(given: string | undefined, root: string): (pointer: string | undefined) => Location | undefined {
  let find: ReturnType<typeof locator> | undefined | null = null;
  const path = resolve(given ?? '');
  const file = relative(root, path);
  const isInside = given !== undefined && file !== '' && !file.startsWith('..') && !isAbsolute(file);
  return (pointer = '') => {
    if (find === null) find = isInside ? open(path) : undefined;
    const at = find?.(decodePercent(pointer.replace(/^[^/]*/, '')));
    return at === undefined ? undefined : { file: file.replaceAll('\\', '/'), ...at };
  };
}

const CONFIGURATIONS = ['assay.config.ts', 'assay.config.js', 'assay.config.mjs', 'assay.config.json'];

/** The beginning of the configuration file; undefined where the repository has none. */
export function locateConfiguration(root: string): Location | undefined {
  const file = CONFIGURATIONS.find((each) => existsSync(resolve(root, each)));
  return file === undefined ? undefined : { file, line: 1, column: 1 };
}

function open(path: string): ReturnType<typeof locator> | undefined {
  try {
    return locator(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
