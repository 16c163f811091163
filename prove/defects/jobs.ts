import type { Defect } from '../defect.ts';
import { stateful } from '../operators/operator.ts';
import { hit, itemId } from '../proxy/call.ts';
import { at, listAt } from '../proxy/handler.ts';
import { asList, asObject, idOf, items } from '../proxy/json.ts';
import { isUuid } from '../../spec/uuid.ts';
import type { JsonMap } from '../proxy/json.ts';
import { empty, json, parsed, problem, succeeded } from '../proxy/reply.ts';
import { itemOf, pathOfItem } from './items.ts';
import {
  alike,
  alters,
  AS_TEXT_JSON,
  depends,
  fails,
  failsRefusing,
  GONE,
  keys,
  LISTS_JOBS,
  REFUSED,
  defect,
  SERVED,
  str,
  where,
  storesEntries,
} from './kit.ts';
import {
  DELETE_JOB,
  JOBS,
  LIST_JOBS,
  PATCH,
  PREVIEW,
  READ_AGENT,
  READ_JOB,
  RESULT,
  RESULTS,
  UPDATE_AGENT,
  UPDATE_JOB,
} from './operations.ts';

const malformedUuid = (body: JsonMap): boolean =>
  ['endpointId', 'aiAgentId'].some((key) => str(body[key]) !== '' && !isUuid(body[key]));

export const JOB_BODIES: readonly Defect[] = [
  alters('job-prompt-line-ends-unified', JOBS, 'prompt', (value) => value.replaceAll('\r\n', '\n')),
  fails(
    'job-schedule-flag-without-schedule-500',
    JOBS,
    (body) => body['enableCronSchedule'] === true && (body['cronSchedule'] ?? '') === '',
  ),
  depends('job-update-keeps-last-skills', UPDATE_JOB, (body, old) => {
    const [skills, before] = [asList(body['allowedSkills']), asList(old['allowedSkills'])];
    return skills.length > 0 && skills.length < before.length
      ? { ...body, allowedSkills: [...skills, ...before.slice(skills.length)] }
      : undefined;
  }),
  defect('refused-job-deletion-changes-description', REFUSED, [DELETE_JOB, READ_JOB], ['refused-changes-nothing']).by(
    at(where([DELETE_JOB])).thoughRefused((call, context) =>
      context.send('PATCH', pathOfItem(call), [{ op: 'add', path: '/description', value: 'deleted' }]),
    ),
  ),
  storesEntries('job-metadata-keys-past-128-cut', JOBS, (all) => all.map(([key, value]) => [key.slice(0, 128), value])),
  storesEntries('job-metadata-keys-alike-merged', JOBS, (all) => [
    ...new Map(all.map((entry) => [entry[0].toLowerCase(), entry])).values(),
  ]),
  storesEntries('job-metadata-times-formatted', JOBS, (all) =>
    all.map(([key, value]) => [
      key,
      /^\d{4}-\d\d-\d\dT[\d:]+Z$/.test(str(value)) ? new Date(str(value)).toUTCString() : value,
    ]),
  ),
  fails('job-metadata-keys-alike-500', JOBS, (body) => alike(keys(body))),
  failsRefusing('job-malformed-uuid-500', JOBS, malformedUuid),
  fails('job-charset-500', JOBS, (_, call) => /charset/i.test(call.headers['content-type'] ?? '')),
  defect('job-text-json-with-charset-415', AS_TEXT_JSON, JOBS, ['request-media-types']).by(
    at(where(JOBS, (_, call) => /^text\/json *;/.test(call.headers['content-type'] ?? ''))).handles(() => problem(415)),
  ),
  defect('job-media-type-in-capitals-415', 'bodies are accepted as application/json (section 4)', JOBS, [
    'equal-json',
    'request-media-types',
    'valid-request-served',
  ]).by(
    at(where(JOBS, (_, call) => /[A-Z]/.test((call.headers['content-type'] ?? '').split(';')[0] ?? ''))).handles(() =>
      problem(415),
    ),
  ),
  defect(
    'job-unchanged-update-without-body',
    'PUT answers AiJobViewModel (section 4)',
    [UPDATE_JOB],
    ['body-fits-schema'],
  ).by(
    at(where([UPDATE_JOB])).handles(async (call, next, context) => {
      const old = await itemOf(call, context);
      const reply = await next();
      const isSame = Object.entries(asObject(call.json)).every(
        ([key, value]) => JSON.stringify(old[key]) === JSON.stringify(value),
      );
      return succeeded(reply) && isSame ? empty() : reply;
    }),
  ),
  defect(
    'update-of-an-agent-that-a-job-uses-forgotten',
    'what is put is what is stored (section 4)',
    [UPDATE_AGENT, READ_AGENT],
    ['updated-reads-back'],
  ).by(
    at(where([UPDATE_AGENT])).handles(async (call, next, context) => {
      const agents = (await listAt(context, '/api/aijob')).map((job) => str(asObject(job)['aiAgentId']).toLowerCase());
      return agents.includes(itemId(call))
        ? json({ ...(await itemOf(call, context)), ...asObject(call.json) })
        : next();
    }),
  ),
  defect('change-of-a-job-that-ran-500', SERVED, [UPDATE_JOB, PATCH], ['no-server-error']).by(
    at(where([UPDATE_JOB, PATCH])).successes(async (reply, call, context) =>
      (await listAt(context, `${pathOfItem(call)}/runs`)).length > 0 ? problem(500) : reply,
    ),
  ),
  defect('previews-of-deleted-jobs-served', GONE, [PREVIEW], ['deleted-is-gone']).by(() => {
    const gone = new Set<string>();
    return async (call, next) => {
      const reply = await next();
      if (hit(call, DELETE_JOB) && succeeded(reply)) gone.add(itemId(call));
      return hit(call, PREVIEW) && gone.has(itemId(call)) ? json({ input: 'assay' }) : reply;
    };
  }),
  defect('job-list-shows-one-with-metadata-of-the-next', LISTS_JOBS, [LIST_JOBS], ['created-reads-back']).by(
    at(where([LIST_JOBS])).relists((list) =>
      list.map((job, at) =>
        at === 7 ? { ...asObject(job), metadata: asObject(list[at + 1] ?? job)['metadata'] } : job,
      ),
    ),
  ),
  defect('results-of-deleted-jobs-readable', GONE, [RESULTS, RESULT], ['deleted-is-gone']).by(
    stateful(() => {
      const shown = new Map<string, JsonMap>();
      return at([RESULTS, RESULT]).handles(async (call, next) => {
        const reply = await next();
        const keyFor = (id = ''): string => `${itemId(call)} ${id.toLowerCase()}`;
        for (const result of items(parsed(reply)).map(asObject)) shown.set(keyFor(idOf(result)), result);
        const known = shown.get(keyFor(call.path.split('/').at(-1)));
        return reply.status === 404 && known !== undefined ? json(known) : reply;
      });
    }),
  ),
];
