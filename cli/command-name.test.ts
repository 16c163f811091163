import { expect, it } from 'vitest';
import { COMMANDS } from './catalogue.ts';
import { pasteable, startedAs } from './command-name.ts';

it('knows how it was started', () => {
  expect(startedAs({}, '/usr/local/bin/assay')).toBe('assay');
  expect(startedAs({}, '/project/node_modules/.bin/assay')).toBe('npx assay');
  expect(startedAs({ npm_config_user_agent: 'npm/11.0.0 node/v20.18.0' }, '/cache/.bin/assay')).toBe('npx assay');
  expect(startedAs({ npm_config_user_agent: 'pnpm/9.1.0 npm/? node/v20' }, '')).toBe('pnpm exec assay');
});

it('every command can be pasted; other words stay', () => {
  for (const name of Object.keys(COMMANDS).filter((each) => each !== 'complete'))
    expect(pasteable(`run assay ${name} first`, 'npx assay')).toBe(`run npx assay ${name} first`);
  const text = 'npx assay verify, the assay itself, ./assay verify, assay-report';
  expect(pasteable(text, 'yarn assay')).toBe(text);
});
