import { describe, expect, it } from 'vitest';
import { GRANTS, houseFiles } from './files.ts';
import type { SourceFile } from './files.ts';

const files = houseFiles();
const folderOf = (path: string): string => path.split('/')[0] ?? '';

function edges(): { readonly file: SourceFile; readonly target: string; readonly to: string }[] {
  return files.flatMap((file) => file.imports.map(({ target }) => ({ file, target, to: folderOf(target) })));
}

const isGranted = (from: string, to: string): boolean =>
  (GRANTS as Readonly<Record<string, readonly string[]>>)[from]?.includes(to) ?? false;

/** Files on a path that leads back to its first file; empty where there is none. */
function findCycle(): readonly string[] {
  const graph = new Map(
    files.map((file) => [file.path, file.imports.filter(({ erased }) => !erased).map(({ target }) => target)]),
  );
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): readonly string[] => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
    if (done.has(path)) return [];
    for (const next of graph.get(path) ?? []) {
      const found = visit(next, [...trail, path]);
      if (found.length > 0) return found;
    }
    done.add(path);
    return [];
  };
  for (const path of graph.keys()) {
    const found = visit(path, []);
    if (found.length > 0) return found;
  }
  return [];
}

const door = (to: string): string => (to === 'service' ? 'service/start.ts' : `${to}/index.ts`);

/** What the help needs; behind `spec/index.ts` stands the whole validator, too heavy for it. */
const LIGHT = ['spec/errors.ts', 'spec/contract.ts', 'spec/redact.ts'];

describe('the house', () => {
  it('sees its files', () => {
    expect(files.length).toBeGreaterThan(100);
    expect(edges().length).toBeGreaterThan(files.length);
    expect(files.flatMap(({ imports }) => imports).filter(({ erased }) => erased).length).toBeGreaterThan(
      files.length / 2,
    );
  });

  it('imports only what the table grants', () => {
    const wrong = edges().filter(({ file, to }) => to !== file.folder && to in GRANTS && !isGranted(file.folder, to));
    expect(wrong.map(({ file, target }) => `${file.path} → ${target}`)).toEqual([]);
  });

  it('imports nothing from tests/, bench/ or scripts/', () => {
    const wrong = edges().filter(({ to }) => ['tests', 'bench', 'scripts', 'dist'].includes(to));
    expect(wrong.map(({ file, target }) => `${file.path} → ${target}`)).toEqual([]);
  });

  it('reaches another folder through its index.ts, and the service through start.ts', () => {
    const wrong = edges()
      .filter(({ file, target, to }) => to !== file.folder && to in GRANTS && target !== door(to))
      .filter(({ file, target }) => !(file.folder === 'cli' && LIGHT.includes(target)));
    expect(wrong.map(({ file, target }) => `${file.path} → ${target}`)).toEqual([]);
  });

  it('has no import cycle at run time', () => {
    expect(findCycle()).toEqual([]);
  });

  it('knows every file that is imported', () => {
    const known = new Set(houseFiles(true).map((file) => file.path));
    const wrong = edges().filter(({ target }) => target.endsWith('.ts') && !known.has(target));
    expect(wrong.map(({ file, target }) => `${file.path} → ${target}`)).toEqual([]);
  });
});
