import { Refusal } from '../http/refusal.ts';
import { JOB_FIELDS, jobFields, jobShape } from '../model/job.ts';
import type { JobFields, JobInput } from '../model/job.ts';
import { fit, isFields } from '../model/shape.ts';
import { applyPatch, sameJson } from './json-patch.ts';

const CHANGEABLE: ReadonlySet<string> = new Set(JOB_FIELDS);

/**
 * The fields of a job after a patch of its view. Fields managed by the service can be tested and copied, not changed.
 * @throws Refusal 400 or 409.
 */
export function patchedFields(view: Readonly<Record<string, unknown>>, body: unknown): JobFields {
  const patched = applyPatch(view, body);
  if (!isFields(patched)) throw new Refusal(409, 'The patch replaces the job with another value.');
  const fixed = new Set([...Object.keys(view), ...Object.keys(patched)].filter((name) => !CHANGEABLE.has(name)));
  for (const name of fixed) {
    if (!sameJson(view[name], patched[name])) throw new Refusal(409, `'${name}' of an AI job cannot be changed.`);
  }
  return jobFields(fit<JobInput>(jobShape, patched));
}
