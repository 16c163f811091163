import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { BASELINE, configText, PIPELINES } from './init.ts';

it('writes texts that TypeScript reads as they were given', () => {
  const spec = String.raw`C:\specs\it's.yaml`;
  const [line = ''] =
    configText({ baseUrl: 'https://h', spec, allow: [], secrets: [] }).match(/(?<=spec: ).*(?=,)/gu) ?? [];
  expect(runInNewContext(line)).toBe(spec);
});

it.each(Object.values(PIPELINES))('installs the package before it runs it, in $file', ({ text: write }) => {
  const text = write(['ASSAY_CREDENTIAL_KEY']);
  const [install, run] = ['npm install --global "$ASSAY_PACKAGE"', `assay verify --seed 1 --baseline ${BASELINE}`];
  expect(text.indexOf(install)).toBeGreaterThan(0);
  expect(text.indexOf(run)).toBeGreaterThan(text.indexOf(install));
});
