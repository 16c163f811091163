import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './files.ts';

interface Entry {
  readonly version?: string;
  readonly resolved?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const read = (name: string): unknown => JSON.parse(readFileSync(join(ROOT, name), 'utf8'));
const { packages } = read('package-lock.json') as { readonly packages: Readonly<Record<string, Entry>> };
const manifest = read('package.json') as Entry;

it('the lock holds the optional packages of every platform, so that npm ci works whatever the registry has (scripts/complete-lock.mjs)', () => {
  const missing = Object.entries(packages).flatMap(([path, entry]) =>
    Object.keys(entry.optionalDependencies ?? {}).filter(
      (name) => !(`${path}/node_modules/${name}` in packages) && !(`node_modules/${name}` in packages),
    ),
  );
  expect(missing).toEqual([]);
});

it('the lock names no registry', () => {
  expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
});

it('every dependency is pinned exactly', () => {
  const ranges = Object.entries({
    ...manifest.dependencies,
    ...manifest.devDependencies,
    ...manifest.optionalDependencies,
  }).filter(([, range]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/u.test(range));
  expect(ranges).toEqual([]);
});
