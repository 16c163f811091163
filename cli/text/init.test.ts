import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { configText } from './init.ts';

it('writes texts that TypeScript reads as they were given', () => {
  const spec = String.raw`C:\specs\it's.yaml`;
  const [line = ''] = configText({ baseUrl: 'https://h', spec, allow: [] }).match(/(?<=spec: ).*(?=,)/gu) ?? [];
  expect(runInNewContext(line)).toBe(spec);
});
