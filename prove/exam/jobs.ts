import type { Defect } from '../defect.ts';
import { at } from '../proxy/handler.ts';
import { asList, asObject, isUuid } from '../proxy/json.ts';
import type { JsonMap } from '../proxy/json.ts';
import { empty, problem, succeeded } from '../proxy/reply.ts';
import { forgets, itemOf, pathOfItem } from './items.ts';
import {
  alike,
  alters,
  depends,
  fails,
  failsRefusing,
  keys,
  row,
  sources,
  stores,
  str,
  where,
  withEntries,
} from './kit.ts';
import { DELETE_JOB, JOBS, READ_JOB, UPDATE_JOB } from './operations.ts';

const malformedUuid = (body: JsonMap): boolean =>
  ['endpointId', 'aiAgentId'].some((key) => str(body[key]) !== '' && !isUuid(body[key]));

const asInt32 = (value: unknown): unknown =>
  typeof value === 'number' && Math.abs(value) > 2_147_483_647 ? Math.sign(value) * 2_147_483_647 : value;

export const JOB_BODIES: readonly Defect[] = [
  alters('job-prompt-line-ends-unified', JOBS, READ_JOB, 'prompt', (value) => value.replaceAll('\r\n', '\n')),
  alters('job-prompt-variables-expanded', JOBS, READ_JOB, 'prompt', (value) =>
    value.replaceAll(/\$\{[^}]*\}|\{\{[^}]*\}\}/g, ''),
  ),
  fails(
    'job-schedule-flag-without-schedule-500',
    JOBS,
    (body) => body['enableCronSchedule'] === true && (body['cronSchedule'] ?? '') === '',
  ),
  fails('job-sample-of-nothing-500', JOBS, (body) =>
    sources(body).some((source) => source['sample'] === true && (source['sampleSize'] ?? 0) === 0),
  ),
  depends('job-update-keeps-last-skills', UPDATE_JOB, READ_JOB, (body, old) => {
    const [skills, before] = [asList(body['allowedSkills']), asList(old['allowedSkills'])];
    return skills.length > 0 && skills.length < before.length
      ? { ...body, allowedSkills: [...skills, ...before.slice(skills.length)] }
      : undefined;
  }),
  row(
    'job-deletion-only-disables-an-enabled-one',
    'DELETE removes the job (section 4)',
    [DELETE_JOB, READ_JOB],
    ['deleted-is-gone'],
    forgets(DELETE_JOB, async (call, context) => {
      if ((await itemOf(call, context))['enabled'] !== true) return false;
      await context.send('PATCH', pathOfItem(call), [{ op: 'replace', path: '/enabled', value: false }]);
      return true;
    }),
  ),
  row(
    'refused-job-deletion-changes-description',
    'a refused request changes nothing (section 7)',
    [DELETE_JOB, READ_JOB],
    ['refused-changes-nothing'],
    at(where([DELETE_JOB]), async (call, next, context) => {
      const reply = await next();
      if (reply.status === 400 || reply.status === 409)
        await context.send('PATCH', pathOfItem(call), [{ op: 'add', path: '/description', value: 'deleted' }]);
      return reply;
    }),
  ),
  stores('job-schedule-lost-while-disabled', JOBS, READ_JOB, (body) =>
    body['enabled'] !== true && body['enableCronSchedule'] === true && str(body['cronSchedule']) !== ''
      ? { ...body, cronSchedule: null }
      : body,
  ),
  stores(
    'job-metadata-keys-past-128-cut',
    JOBS,
    READ_JOB,
    withEntries((all) => all.map(([key, value]) => [key.slice(0, 128), value])),
  ),
  stores('job-rule-numbers-past-int32-cut', JOBS, READ_JOB, (body) =>
    sources(body).length === 0
      ? body
      : {
          ...body,
          dataSources: sources(body).map((source) => {
            const rule = asObject(source['filterRule']);
            return Array.isArray(rule['value'])
              ? { ...source, filterRule: { ...rule, value: rule['value'].map(asInt32) } }
              : source;
          }),
        },
  ),
  fails('job-metadata-keys-alike-500', JOBS, (body) => alike(keys(body))),
  failsRefusing(
    'job-enabled-not-boolean-500',
    JOBS,
    (body) => body['enabled'] !== undefined && typeof body['enabled'] !== 'boolean',
  ),
  failsRefusing('job-malformed-uuid-500', JOBS, malformedUuid),
  fails('job-charset-500', JOBS, (_, call) => /charset/i.test(call.headers['content-type'] ?? '')),
  row(
    'job-media-type-in-capitals-415',
    'bodies are accepted as application/json (section 4)',
    JOBS,
    ['equal-json', 'request-media-types', 'valid-request-served'],
    at(
      where(JOBS, (_, call) => /[A-Z]/.test((call.headers['content-type'] ?? '').split(';')[0] ?? '')),
      () => problem(415),
    ),
  ),
  row(
    'job-unchanged-update-without-body',
    'PUT answers AiJobViewModel (section 4)',
    [UPDATE_JOB],
    ['body-fits-schema'],
    at(where([UPDATE_JOB]), async (call, next, context) => {
      const old = await itemOf(call, context);
      const reply = await next();
      const isSame = Object.entries(asObject(call.json)).every(
        ([key, value]) => JSON.stringify(old[key]) === JSON.stringify(value),
      );
      return succeeded(reply) && isSame ? empty() : reply;
    }),
  ),
];
