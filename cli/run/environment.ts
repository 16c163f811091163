import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { defined } from '../../spec/defined.ts';
import type { RunEnvironment } from '../../spec/index.ts';
import type { Variables } from '../dot-env.ts';

/** CI systems by a variable that only they set, and where they keep job, URL, commit and branch. */
const SYSTEMS: readonly {
  readonly name: string;
  readonly sign: string;
  readonly job: (env: Variables) => string | undefined;
  readonly url: (env: Variables) => string | undefined;
  readonly commit: string;
  readonly branch: string;
}[] = [
  {
    name: 'GitHub Actions',
    sign: 'GITHUB_ACTIONS',
    job: (env) => joined(' / ', env['GITHUB_WORKFLOW'], env['GITHUB_JOB']),
    url: (env) => joined('/', env['GITHUB_SERVER_URL'], env['GITHUB_REPOSITORY'], 'actions/runs', env['GITHUB_RUN_ID']),
    commit: 'GITHUB_SHA',
    branch: 'GITHUB_REF_NAME',
  },
  {
    name: 'GitLab CI',
    sign: 'GITLAB_CI',
    job: (env) => env['CI_JOB_NAME'],
    url: (env) => env['CI_JOB_URL'],
    commit: 'CI_COMMIT_SHA',
    branch: 'CI_COMMIT_REF_NAME',
  },
  {
    name: 'Jenkins',
    sign: 'JENKINS_URL',
    job: (env) => joined(' #', env['JOB_NAME'], env['BUILD_NUMBER']),
    url: (env) => env['BUILD_URL'],
    commit: 'GIT_COMMIT',
    branch: 'GIT_BRANCH',
  },
  {
    name: 'Azure Pipelines',
    sign: 'TF_BUILD',
    job: (env) => joined(' / ', env['BUILD_DEFINITIONNAME'], env['AGENT_JOBNAME']),
    url: (env) =>
      env['BUILD_BUILDID'] === undefined
        ? undefined
        : `${env['SYSTEM_COLLECTIONURI'] ?? ''}${env['SYSTEM_TEAMPROJECT'] ?? ''}/_build/results?buildId=${env['BUILD_BUILDID']}`,
    commit: 'BUILD_SOURCEVERSION',
    branch: 'BUILD_SOURCEBRANCHNAME',
  },
];

function joined(separator: string, ...parts: readonly (string | undefined)[]): string | undefined {
  return parts.some((part) => part === undefined || part === '') ? undefined : parts.join(separator);
}

/** The version of Node.js, the platform, the CI job and the commit that a run is started with. */
export async function environmentOf(env: Variables, directory: string): Promise<RunEnvironment> {
  const system = SYSTEMS.find(({ sign }) => (env[sign] ?? '') !== '');
  const [job, url, branch] = [system?.job(env), system?.url(env), env[system?.branch ?? '']];
  const commit = env[system?.commit ?? ''] ?? (await commitOf(directory));
  return {
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    ...defined({ commit, branch, ci: system && { name: system.name, ...defined({ job, url }) } }),
  };
}

/** The commit that is checked out; undefined outside of a repository, or without git. */
async function commitOf(directory: string): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)('git', ['rev-parse', 'HEAD'], { cwd: directory, timeout: 2000 });
    return stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}
