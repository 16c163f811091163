import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { environmentOf } from './environment.ts';

it('names the job and the commit as the CI system does', async () => {
  const github = {
    GITHUB_ACTIONS: 'true',
    GITHUB_WORKFLOW: 'nightly',
    GITHUB_JOB: 'contract',
    GITHUB_SERVER_URL: 'https://github.example',
    GITHUB_REPOSITORY: 'a/b',
    GITHUB_RUN_ID: '7',
    GITHUB_SHA: 'abc',
    GITHUB_REF_NAME: 'main',
  };
  expect(await environmentOf(github, tmpdir())).toMatchObject({
    node: process.versions.node,
    commit: 'abc',
    branch: 'main',
    ci: { name: 'GitHub Actions', job: 'nightly / contract', url: 'https://github.example/a/b/actions/runs/7' },
  });
  const jenkins = { JENKINS_URL: 'http://j', JOB_NAME: 'contract', BUILD_NUMBER: '12', GIT_COMMIT: 'def' };
  expect(await environmentOf(jenkins, tmpdir())).toMatchObject({ commit: 'def', ci: { job: 'contract #12' } });
});

it('says nothing of CI and commits where there are none', async () => {
  const found = await environmentOf({}, tmpdir());
  expect(Object.keys(found)).toEqual(['node', 'platform']);
});
