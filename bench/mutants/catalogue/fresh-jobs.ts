import { asList, asObject, asks, answers, at, empty, parsed, problem, succeeded, withBody } from '../kit.ts';
import type { JsonMap } from '../kit.ts';
import type { Call, Mutant } from '../types.ts';
import {
  define,
  edits,
  entries,
  everyNth,
  FIVE,
  hash,
  JOBS,
  keys,
  mangles,
  needsOf,
  overlooks,
  POLICY,
  READ_JOB,
  refuses,
  SET,
  sources,
  str,
  strOf,
  stumbles,
  trips,
  where,
  withEntries,
} from './fresh-kit.ts';
import { itself, orderOf, setOrderTo } from './parts.ts';

const [CREATE, UPDATE] = JOBS;
const APPROVE = 'POST /aijob/{id}/results/{type}/approvals';
const BULK = 'PUT /aijob/{id}/bulk-result-approval-request';
const PREVIEW = 'POST /aijob/{id}/preview';
const DRY = 'POST /aijob/{id}/dry-run';
const RESULTS = ['GET /aijob/{id}/results/{type}', 'GET /aijob/{id}/results/{type}/{resultId}'];
const ORDER = `GET ${POLICY}/byprocessingorder`;
const skills = (body: JsonMap): readonly unknown[] => asList(body['allowedSkills']);

const VALUES: readonly Mutant[] = [
  mangles(
    'job-skills-beyond-8-lost',
    JOBS,
    (body) => (skills(body).length > 8 ? { ...body, allowedSkills: skills(body).slice(0, 8) } : body),
    READ_JOB,
  ),
  edits('job-prompt-line-ends-unified', JOBS, 'prompt', (text) => text.replaceAll('\r\n', '\n'), READ_JOB),
  edits('job-description-quotes-doubled', JOBS, 'description', (text) => text.replaceAll("'", "''"), READ_JOB),
  edits(
    'job-name-backslashes-lost',
    JOBS,
    'name',
    (text) => (text.replaceAll('\\', '') === '' ? text : text.replaceAll('\\', '')),
    READ_JOB,
  ),
  edits(
    'job-prompt-variables-expanded',
    JOBS,
    'prompt',
    (text) => text.replaceAll(/\$\{[^}]*\}|\{\{[^}]*\}\}/g, ''),
    READ_JOB,
  ),
  edits(
    'job-prompt-of-hash-lost',
    [UPDATE],
    'prompt',
    (text) => (text !== '' && hash(text) % 20 === 7 ? '' : text),
    READ_JOB,
  ),
  everyNth('job-every-30th-500', [CREATE], 30, () => true),
];

const SHAPES: readonly Mutant[] = [
  trips(
    'job-cron-enabled-without-schedule-500',
    JOBS,
    (body) => body['enableCronSchedule'] === true && (body['cronSchedule'] === null || body['cronSchedule'] === ''),
  ),
  trips(
    'job-enabled-with-no-data-sources-500',
    JOBS,
    (body) => body['enabled'] === true && Array.isArray(body['dataSources']) && body['dataSources'].length === 0,
  ),
  trips('job-sample-of-nothing-500', JOBS, (body) =>
    sources(body).some(
      (source) => source['sample'] === true && (source['sampleSize'] === 0 || source['sampleSize'] === null),
    ),
  ),
  overlooks('job-update-cannot-disable', UPDATE, (body) => (body['enabled'] === false ? ['enabled'] : []), READ_JOB),
  mangles(
    'job-metadata-prototype-keys-lost',
    JOBS,
    withEntries((all) => all.filter(([key]) => !(key in Object.prototype) && key !== 'length')),
    READ_JOB,
  ),
  mangles(
    'job-metadata-type-keys-lost',
    JOBS,
    withEntries((all) => all.filter(([key]) => !/^(?:\$|@)/.test(key))),
    READ_JOB,
  ),
  trips(
    'job-metadata-keys-alike-500',
    JOBS,
    (body) => new Set(keys(body).map((key) => key.toLowerCase())).size < keys(body).length,
  ),
  define(
    'job-update-without-change-empty',
    'PUT answers AiJobViewModel (section 4)',
    [UPDATE],
    at(
      where([UPDATE], () => true),
      async (call, next, context) => {
        const old = asObject(parsed(await context.ask('GET', itself(call))));
        const reply = await next();
        const body = asObject(call.json);
        return succeeded(reply) &&
          Object.entries(body).every(([key, value]) => JSON.stringify(old[key]) === JSON.stringify(value))
          ? empty()
          : reply;
      },
    ),
    ['reversible'],
  ),
];

const REFUSALS: readonly Mutant[] = [
  stumbles(
    'job-enabled-no-boolean-500',
    JOBS,
    (body) => body['enabled'] !== undefined && typeof body['enabled'] !== 'boolean',
  ),
  define(
    'job-update-refused-but-texts-lost',
    'a request that is refused with 400 changes nothing (section 7)',
    [UPDATE, ...READ_JOB],
    at(
      where([UPDATE], () => true),
      async (call, next, context) => {
        const reply = await next();
        if (reply.status === 400) {
          const old = asObject(parsed(await context.ask('GET', itself(call))));
          await context.ask(
            'PATCH',
            itself(call),
            ['description', 'prompt']
              .filter((key) => old[key] !== null && old[key] !== undefined)
              .map((key) => ({ op: 'replace', path: `/${key}`, value: null })),
          );
        }
        return reply;
      },
    ),
    ['reversible'],
  ),
];

const TWINS: readonly Mutant[] = [
  refuses(
    'job-unversioned-long-description-400',
    'both forms behave the same (sections 4 and 9)',
    JOBS,
    strOf('description', (text) => text.length > 500),
    '/api',
  ),
  define(
    'job-charset-500',
    FIVE,
    JOBS,
    answers(
      where(JOBS, (_, call) => /charset/i.test(call.headers['content-type'] ?? '')),
      (reply) => (succeeded(reply) ? problem(500) : reply),
    ),
    ['reversible'],
  ),
  trips('preview-braces-500', [PREVIEW], (body) => /[{}]/.test(str(body['prompt']) + str(body['name']))),
  trips('dry-run-metadata-empty-500', [DRY], (body) => body['metadata'] !== undefined && entries(body).length === 0),
];

const idsOf = (call: Call): readonly string[] => asList(call.json).map((entry) => str(asObject(entry)['id']));
const placesOf = (call: Call): readonly unknown[] => asList(call.json).map((entry) => asObject(entry)['order']);

const ORDERS: readonly Mutant[] = [
  trips('order-upper-case-id-500', [SET], (_, call) => idsOf(call).some((id) => /[A-F]/.test(id))),
  define(
    'order-unknown-id-half-applied',
    'an order that is refused is not set; it is set as a whole (section 3)',
    [SET, ORDER],
    at(
      where([SET], () => true),
      async (call, next, context) => {
        const before = await orderOf(context);
        const reply = await next();
        const known = idsOf(call).filter((id) => before.some((entry) => asObject(entry)['id'] === id.toLowerCase()));
        if (reply.status >= 400 && reply.status < 500 && known.length > 0)
          await setOrderTo(
            context,
            [...new Set(known)].map((id) => ({ id, name: 'x' })),
          );
        return reply;
      },
    ),
    needsOf([SET]),
  ),
  define(
    'order-places-win',
    'the order is set by posting an ordered array (section 3)',
    [SET, ORDER],
    asks(
      where([SET], (_, call) => placesOf(call).every((place) => typeof place === 'number')),
      (call) => {
        const sorted = asList(call.json)
          .map(asObject)
          .toSorted((a, b) => Number(a['order']) - Number(b['order']));
        return JSON.stringify(sorted) === JSON.stringify(call.json) ? undefined : withBody(sorted);
      },
    ),
    needsOf([SET]),
  ),
];

const resultIds = (body: JsonMap): readonly string[] =>
  asList(body['results']).map((result) => str(asObject(result)['resultId']).toLowerCase());

const APPROVALS: readonly Mutant[] = [
  mangles(
    'approval-only-last-of-many',
    [APPROVE],
    (body) => (asList(body['results']).length > 1 ? { ...body, results: asList(body['results']).slice(-1) } : body),
    RESULTS,
  ),
  define(
    'approval-of-none-approves-all',
    'an approval is of the results that it names (section 4)',
    [APPROVE, ...RESULTS],
    at(
      where([APPROVE], (body) => Array.isArray(body['results']) && body['results'].length === 0),
      async (call, next, context) => {
        const reply = await next();
        if (succeeded(reply))
          await context.ask('PUT', `${itself(call)}/bulk-result-approval-request`, {
            action: asObject(call.json)['action'],
          });
        return reply;
      },
    ),
    needsOf([APPROVE]),
  ),
  trips('approval-twice-the-same-500', [APPROVE], (body) => new Set(resultIds(body)).size < resultIds(body).length),
  stumbles('approval-action-unknown-500', [BULK, APPROVE], (body) => ![0, 1].includes(Number(body['action']))),
];

export const FRESH_JOBS = [
  ...VALUES,
  ...SHAPES,
  ...REFUSALS,
  ...TWINS,
  ...ORDERS,
  ...APPROVALS,
] as const satisfies readonly Mutant[];
