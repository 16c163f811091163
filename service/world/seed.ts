import type { Job } from '../model/job.ts';
import type { Run } from '../model/run.ts';
import { SYSTEM_USER } from './organization.ts';
import { jobDetail } from './runs.ts';
import type { World } from './world.ts';

const KEYS = [
  'employee.name',
  'employee.email',
  'employee.jobTitle',
  'organization.name',
  'organization.addressCity',
  'organization.addressCountryCode',
];

const POLICIES = [
  ['Sales reads customers', 'Sales may see customers of its own region.'],
  ['Mask personal data', 'Personal data is masked for everyone but HR.'],
  ['Finance reads invoices', 'Finance may see invoices of all regions.'],
] as const;

/** Adds the initial data: policies, an agent, a job with past runs, vocabulary keys. */
export function seedWorld(world: World): void {
  for (const key of KEYS) world.vocabulary.learn(key);
  for (const [name, description] of POLICIES) {
    const rules = [{ name, type: 'View', order: 0, isActive: true, conditions: condition(world), actions: [] }];
    const input = { name, description, condition: condition(world), rules };
    const policy = world.policies.create(world.random.uuid(), input, SYSTEM_USER);
    world.audit.add('policy', policy.id, name, 'Create', SYSTEM_USER);
  }
  const first = world.policies.order()[0] ?? '';
  world.policies.merge(first, { isActive: true });
  world.audit.add('policy', first, POLICIES[0][0], 'Activate', SYSTEM_USER);
  seedJob(world);
}

function condition(world: World): unknown {
  return {
    id: world.random.uuid(),
    objectTypeId: world.random.uuid(),
    operator: world.random.uuid(),
    condition: 'AND',
    field: 'entity.entityType',
    type: 'string',
    rules: [],
    value: ['/Customer'],
  };
}

function seedJob(world: World): void {
  const metadata = { team: 'data-quality' };
  const agent = world.agents.create(
    world.random.uuid(),
    { name: 'Steward', instructions: 'Be brief.', metadata },
    SYSTEM_USER,
  );
  world.audit.add('agent', agent.id, agent.name, 'Create', SYSTEM_USER);
  const input = {
    name: 'Nightly address check',
    prompt: 'Check the addresses.',
    aiAgentId: agent.id,
    metadata,
    enabled: true,
  };
  const job = world.jobs.create(world.random.uuid(), input, SYSTEM_USER);
  world.audit.add('job', job.id, job.name, 'Create', SYSTEM_USER);
  for (const dryRun of [false, false, true]) addPastRun(world, job, dryRun);
}

function addPastRun(world: World, job: Job, dryRun: boolean): void {
  const at = new Date().toISOString();
  const ids = { id: world.random.uuid(), jobProgressId: world.random.uuid() };
  const run: Run = {
    ...ids,
    dryRun,
    state: 'Running',
    startedAt: at,
    completedAt: null,
    createdBy: SYSTEM_USER,
    jobDetail: jobDetail(job),
  };
  const history = world.jobs.history(job.id);
  world.jobs.setHistory(job.id, { ...history, runs: [...history.runs, run] });
  world.runner.complete(job.id, run.id);
}
