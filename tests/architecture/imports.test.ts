import { describe, expect, it } from 'vitest';
import { GRANTS, sourceFiles } from './files.ts';
import type { SourceFile } from './files.ts';

const files = sourceFiles();
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

/** Files that are loaded together with one. */
function loadedWith(path: string, loaded = new Set<string>()): ReadonlySet<string> {
  if (loaded.has(path)) return loaded;
  loaded.add(path);
  const { imports = [] } = files.find((file) => file.path === path) ?? {};
  for (const { target, erased, later } of imports) if (!erased && !later) loadedWith(target, loaded);
  return loaded;
}

const isSuite = (path: string): boolean => /^suites\/(?:contract|properties|state|snapshot)\//u.test(path);

describe('imports', () => {
  it('are read from all files', () => {
    expect(files.length).toBeGreaterThan(100);
    expect(edges().length).toBeGreaterThan(files.length);
    expect(files.flatMap(({ imports }) => imports).filter(({ erased }) => erased).length).toBeGreaterThan(
      files.length / 2,
    );
  });

  it('cross folders only as the table grants', () => {
    const wrong = edges().filter(({ file, to }) => to !== file.folder && to in GRANTS && !isGranted(file.folder, to));
    expect(wrong.map(({ file, target }) => `${file.path} → ${target}`)).toEqual([]);
  });

  it('do not reach into tests/, bench/ or scripts/', () => {
    const wrong = edges().filter(({ to }) => ['tests', 'bench', 'scripts', 'dist'].includes(to));
    expect(wrong.map(({ file, target }) => `${file.path} → ${target}`)).toEqual([]);
  });

  it('reach the service through start.ts only', () => {
    const wrong = edges().filter(
      ({ file, target, to }) => to === 'service' && file.folder !== to && target !== 'service/start.ts',
    );
    expect(wrong.map(({ file, target }) => `${file.path} → ${target}`)).toEqual([]);
  });

  it('never reach into the test files of a suite', () => {
    const wrong = edges().filter(({ file, target }) => {
      const [from, to] = [file.path, target].map((path) => path.split('/').slice(0, 2).join('/'));
      const isGroup = from === 'suites/groups' && target.endsWith('.suite.ts');
      return isSuite(target) && from !== to && !isGroup && !target.endsWith('snapshot/file.ts');
    });
    expect(wrong.map(({ file, target }) => `${file.path} → ${target}`)).toEqual([]);
  });

  it('put every suite in one group', () => {
    const isGroup = (path: string): boolean => path.startsWith('suites/groups/');
    const suites = sourceFiles()
      .map(({ path }) => path)
      .filter((path) => path.endsWith('.suite.ts') && !isGroup(path));
    const grouped = edges()
      .filter(({ file }) => isGroup(file.path))
      .map(({ target }) => target);
    expect([...new Set(grouped)].filter((path) => path.endsWith('.suite.ts')).toSorted()).toEqual(suites.toSorted());
  });

  it('form no cycle at run time', () => {
    expect(findCycle()).toEqual([]);
  });

  it('load what reads and validates descriptions only with the command that needs it', () => {
    const loaded = loadedWith('cli/main.ts');
    expect(loaded).toContain('cli/program.ts');
    expect(loaded).not.toContain('spec/index.ts');
  });

  it('name files that exist', () => {
    const known = new Set(sourceFiles(true).map((file) => file.path));
    const wrong = edges().filter(({ target }) => target.endsWith('.ts') && !known.has(target));
    expect(wrong.map(({ file, target }) => `${file.path} → ${target}`)).toEqual([]);
  });
});
