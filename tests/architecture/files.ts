import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The folders of the product, and which of each other they may import. */
export const GRANTS = {
  spec: [],
  generators: ['spec'],
  client: ['spec'],
  domain: ['spec', 'generators', 'client'],
  suites: ['spec', 'generators', 'client', 'domain'],
  load: ['spec', 'generators', 'client', 'domain'],
  fleet: ['spec'],
  prove: ['spec', 'suites', 'service'],
  reports: ['spec'],
  service: [],
  cli: ['spec', 'generators', 'client', 'domain', 'suites', 'load', 'fleet', 'prove', 'reports', 'service'],
} as const satisfies Record<string, readonly string[]>;

/** One TypeScript file of the product. */
export interface SourceFile {
  /** From the root, with slashes. */
  readonly path: string;
  readonly folder: string;
  readonly text: string;
  /** `erased`: an `import type`, which does not exist at run time. `later`: an `import()`. */
  readonly imports: readonly { readonly target: string; readonly erased: boolean; readonly later: boolean }[];
}

function* walk(folder: string): Generator<string> {
  for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* walk(path);
    else if (entry.name.endsWith('.ts')) yield path;
  }
}

const SPECIFIER =
  /(?:\bfrom\s*|\bimport\s*\(\s*|^\s*import\s+)(['"])(\.[^'"]+)\1|new URL\(\s*(['"])(\.[^'"]+\.ts)\3/gmu;

function importsOf(path: string, text: string): SourceFile['imports'] {
  return [...text.matchAll(SPECIFIER)].map((match) => {
    const from = match[2] ?? match[4] ?? '';
    const statement =
      text
        .slice(text.lastIndexOf('\n\n', match.index) + 1, match.index)
        .split(';')
        .at(-1) ?? '';
    return {
      target: relative(ROOT, join(ROOT, dirname(path), from)).replaceAll('\\', '/'),
      erased: /^\s*(?:import|export) type\b/u.test(statement),
      later: match[0].startsWith('import') && match[0].includes('('),
    };
  });
}

const isTest = (path: string): boolean => path.endsWith('.test.ts') || /\/(?:fixtures|testing)\//u.test(path);

/** All files of the product; its own tests only where asked for. */
export function sourceFiles(withTests = false): readonly SourceFile[] {
  return Object.keys(GRANTS).flatMap((folder) =>
    [...walk(folder)]
      .filter((path) => withTests || !isTest(path))
      .map((path) => {
        const text = readFileSync(join(ROOT, path), 'utf8');
        return { path, folder, text, imports: importsOf(path, text) };
      }),
  );
}
