import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { GRANTS, ROOT } from './files.ts';

const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

it('the repository of package.json is the one whose action the documents show', () => {
  const { repository } = JSON.parse(textOf('package.json')) as { readonly repository: { readonly url: string } };
  const [, name = ''] = /([^/]+\/[^/]+)\.git$/u.exec(repository.url) ?? [];
  const shown = [...textOf('docs/getting-started-in-ci.md').matchAll(/uses: ([\w.-]+\/assay)@/gu)].map(
    ([, each]) => each,
  );
  expect(new Set(shown)).toEqual(new Set([name]));
});

it('the type check covers every folder, with its tests', () => {
  const { include } = JSON.parse(textOf('tsconfig.json')) as { readonly include: readonly string[] };
  expect(include).toEqual(expect.arrayContaining(Object.keys(GRANTS)));
});
