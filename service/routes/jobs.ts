import { done, ok } from '../http/answer.ts';
import type { Call } from '../http/call.ts';
import { badRequest, Refusal } from '../http/refusal.ts';
import { jobFields, jobShape, JOB_FIELDS } from '../model/job.ts';
import type { Job, JobInput, JobFields } from '../model/job.ts';
import { fit, isFields } from '../model/shape.ts';
import { existing, group, userId } from './define.ts';
import { jobListItem, jobView } from './job-view.ts';
import { metadataFilter } from './page.ts';
import { applyPatch, sameJson } from './json-patch.ts';

const CHANGEABLE: ReadonlySet<string> = new Set(JOB_FIELDS);

/** The fields of a job after a patch of its view; those that the service manages stay as they are. Throws Refusal 400 or 409. */
function patchedFields(view: Readonly<Record<string, unknown>>, body: unknown): JobFields {
  const patched = applyPatch(view, body);
  if (!isFields(patched)) throw new Refusal(409, 'The patch replaces the job with another value.');
  const fixed = new Set([...Object.keys(view), ...Object.keys(patched)].filter((name) => !CHANGEABLE.has(name)));
  for (const name of fixed) {
    if (!sameJson(view[name], patched[name])) throw new Refusal(409, `'${name}' of an AI job cannot be changed.`);
  }
  return jobFields(fit<JobInput>(jobShape, patched));
}

export const jobOperations = group('RACI:management.aiagents', {
  'GET /aijob': (call) => {
    const fits = metadataFilter(call);
    const jobs = call.world.jobs.values().filter(({ metadata }) => fits(metadata));
    return ok(jobs.map((job) => jobListItem(call.world, job)));
  },
  'POST /aijob': (call) => {
    const input = fit<JobInput>(jobShape, call.body);
    const job = call.world.jobs.create(call.world.random.uuid(), input, userId(call));
    noteJob(call, job, 'Create');
    return ok(jobView(call.world, job));
  },
  'GET /aijob/{id}': (call) => ok(jobView(call.world, existingJob(call))),
  'PUT /aijob/{id}': (call) => {
    const job = existingJob(call);
    return change(call, job, jobFields(fit<JobInput>(jobShape, call.body)), 'Update');
  },
  'PATCH /aijob/{id}': (call) => {
    const job = existingJob(call);
    return change(call, job, patchedFields(jobView(call.world, job), call.body), 'Patch');
  },
  'DELETE /aijob/{id}': (call) => {
    const job = existingJob(call);
    const { results } = call.world.jobs.history(job.id);
    if (results.some(({ state, modifiedBy }) => state === 'Approved' && modifiedBy !== null))
      throw badRequest(`AI job ${job.id} has approved results.`);
    call.world.jobs.delete(job.id);
    noteJob(call, job, 'Delete');
    return done();
  },
  'GET /aijob/summary': (call) => {
    const { jobs } = call.world;
    const pending = jobs
      .values()
      .flatMap(({ id }) => jobs.history(id).results.filter(({ state }) => state === 'Pending'));
    return ok({ type: null, status: 'Pending', count: pending.length });
  },
  'POST /aijob/{id}/preview': (call) => {
    const job = existingJob(call);
    const { name, prompt } = fit<JobInput>(jobShape, call.body);
    return ok({ input: `${prompt ?? job.prompt ?? ''}\n\nJob: ${name}` });
  },
  'POST /aijob/{id}/execution-queue': (call) => {
    const job = existingJob(call);
    const run = call.world.runner.queue(job, userId(call));
    noteJob(call, job, 'Run');
    return ok({ jobProgressId: run.jobProgressId });
  },
  'POST /aijob/{id}/dry-run': (call) => {
    existingJob(call);
    fit<JobInput>(jobShape, call.body);
    return ok({ jobProgressId: call.world.random.uuid() });
  },
});

/** @throws Refusal 404. */
export function existingJob(call: Call, name = 'id'): Job {
  return existing(call, call.world.jobs, 'AI job', name);
}

export function noteJob(call: Call, job: Job, action: string): void {
  call.world.audit.add('job', job.id, job.name, action, userId(call));
}

function change(call: Call, job: Job, fields: Partial<Job>, action: string) {
  const { jobs } = call.world;
  jobs.merge(job.id, { ...fields, modifiedAt: new Date().toISOString(), modifiedBy: userId(call) });
  noteJob(call, job, action);
  return ok(jobView(call.world, jobs.get(job.id) ?? job));
}
