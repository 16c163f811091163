import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const FOLDER = join(import.meta.dirname, '..');

const entries = readdirSync(join(FOLDER, 'groups')).flatMap((name) =>
  [...readFileSync(join(FOLDER, 'groups', name), 'utf8').matchAll(/'(\S+)': \(\) => import\('\.\.\/(\S+)'\)/gu)].map(
    ([, suite = '', file = '']) => ({ suite, file }),
  ),
);

test.each([...new Set(entries.map(({ file }) => file))])('%s is loaded for the suites of its tests', (file) => {
  const named = readFileSync(join(FOLDER, file), 'utf8').matchAll(/suite: '([^']+)'/gu);
  const suites = new Set([...named].map(([, suite]) => suite));
  expect(suites).toEqual(new Set(entries.filter((each) => each.file === file).map(({ suite }) => suite)));
});
