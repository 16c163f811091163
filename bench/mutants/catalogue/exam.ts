import { asList, asks, asObject, at, hit, number, parsed, problem, relist, succeeded, withQuery } from '../kit.ts';
import type { JsonMap } from '../kit.ts';
import type { Handler, Make, Mutant } from '../types.ts';
import { define, depends, exam, falls, malformedUuid, sameButForCase, tripsOver } from './exam-kit.ts';
import {
  AGENTS,
  BACK,
  edits,
  entries,
  FIVE,
  JOBS,
  mangles,
  MEDIA,
  POLICY,
  READ_AGENT,
  READ_JOB,
  READ_POLICY,
  sources,
  str,
  stumbles,
  trips,
  where,
  withEntries,
  WRITES,
} from './fresh-kit.ts';
import { itself } from './parts.ts';

const UPDATE = `PUT ${POLICY}/{id}`;
const [, UPDATE_AGENT] = AGENTS;
const [, UPDATE_JOB] = JOBS;
const LIST = `GET ${POLICY}`;
const JOB_LIST = 'GET /aijob';
const conditionValue = (body: JsonMap): readonly unknown[] => asList(asObject(body['condition'])['value']);
const withValue =
  (change: (value: unknown) => unknown) =>
  (body: JsonMap): JsonMap =>
    conditionValue(body).length === 0
      ? body
      : { ...body, condition: { ...asObject(body['condition']), value: conditionValue(body).map(change) } };
const firstOfName = (rules: readonly unknown[]): readonly unknown[] =>
  rules.filter(
    (rule, index) => rules.findIndex((other) => asObject(other)['name'] === asObject(rule)['name']) === index,
  );

const POLICIES: readonly Mutant[] = [
  edits('policy-description-beyond-4000-cut', WRITES, 'description', (text) => text.slice(0, 4000), READ_POLICY),
  edits(
    'policy-name-outside-bmp-replaced',
    WRITES,
    'name',
    (text) => text.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '\ufffd'),
    READ_POLICY,
  ),
  depends('policy-rename-by-case-only-ignored', UPDATE, READ_POLICY, (body, old) =>
    sameButForCase(str(body['name']), str(old['name'])) ? { ...body, name: old['name'] } : undefined,
  ),
  depends('policy-update-of-same-name-keeps-description', UPDATE, READ_POLICY, (body, old) =>
    typeof body['description'] === 'string' &&
    body['name'] === old['name'] &&
    body['description'] !== old['description']
      ? { ...body, description: old['description'] }
      : undefined,
  ),
  mangles(
    'policy-rules-of-same-name-merged',
    WRITES,
    (body) => (Array.isArray(body['rules']) ? { ...body, rules: firstOfName(asList(body['rules'])) } : body),
    READ_POLICY,
  ),
  mangles(
    'policy-condition-value-digits-become-numbers',
    WRITES,
    withValue((value) => (/^\d{1,9}$/.test(str(value)) ? Number(value) : value)),
    READ_POLICY,
  ),
  define(
    'list-search-forgotten-on-later-pages',
    'searchName selects by name, page pages the selection (sections 4 and 8)',
    LIST,
    asks(
      where([LIST], (_, call) => (call.search.get('searchName') ?? '') !== '' && number(call, 'page', 0) > 0),
      (call) => withQuery(call, { searchName: undefined }),
    ),
  ),
  define(
    'list-take-largest-int32-500',
    FIVE,
    LIST,
    falls(where([LIST], (_, call) => number(call, 'take', 20) === 2 ** 31 - 1)),
  ),
];

/** Each 25th good update is answered 200 and taken back. */
const forgetsSome: Make = (context): Handler => {
  let seen = 0;
  return async (call, next) => {
    if (
      !hit(
        call,
        where([UPDATE_AGENT], () => true),
      )
    )
      return next();
    const old = asObject(parsed(await context.ask('GET', itself(call))));
    const reply = await next();
    if (!succeeded(reply)) return reply;
    seen += 1;
    if (seen % 25 === 0)
      await context.ask(
        'PUT',
        itself(call),
        Object.fromEntries(['name', 'description', 'instructions', 'metadata'].map((key) => [key, old[key] ?? null])),
      );
    return reply;
  };
};

const AGENT_BODIES: readonly Mutant[] = [
  edits(
    'agent-instructions-tabs-become-spaces',
    AGENTS,
    'instructions',
    (text) => text.replaceAll('\t', ' '),
    READ_AGENT,
  ),
  trips('agent-metadata-value-beyond-255-500', AGENTS, (body) =>
    entries(body).some(([, value]) => str(value).length > 255),
  ),
  mangles(
    'agent-metadata-empty-values-lost',
    AGENTS,
    withEntries((all) => all.filter(([, value]) => value !== '')),
    READ_AGENT,
  ),
  tripsOver(
    'agent-update-clears-instructions-500',
    FIVE,
    UPDATE_AGENT,
    (call, old) => str(old['instructions']) !== '' && asObject(call.json)['instructions'] === null,
  ),
  stumbles('agent-metadata-value-no-string-500', AGENTS, (body) =>
    entries(body).some(([, value]) => value !== null && typeof value !== 'string'),
  ),
  trips(
    'agent-v1-update-of-name-only-500',
    [UPDATE_AGENT],
    (body) => Object.keys(body).length === 1 && typeof body['name'] === 'string',
    '/api/v1',
  ),
  define('agent-update-every-25th-lost', BACK, [UPDATE_AGENT, ...READ_AGENT], forgetsSome, ['reversible']),
];

const JOB_BODIES: readonly Mutant[] = [
  mangles(
    'job-metadata-keys-beyond-128-cut',
    JOBS,
    withEntries((all) => all.map(([key, value]) => [key.slice(0, 128), value])),
    READ_JOB,
  ),
  edits(
    'job-unversioned-prompt-tags-stripped',
    JOBS,
    'prompt',
    (text) => text.replaceAll(/<[^>]*>/g, ''),
    READ_JOB,
    '/api',
  ),
  trips('job-sample-size-largest-500', JOBS, (body) => sources(body).some((source) => source['sampleSize'] === 1000)),
  mangles(
    'job-schedule-lost-where-not-enabled',
    JOBS,
    (body) =>
      body['enabled'] !== true && body['enableCronSchedule'] === true && str(body['cronSchedule']) !== ''
        ? { ...body, cronSchedule: null }
        : body,
    READ_JOB,
  ),
  depends('job-update-of-fewer-skills-keeps-last', UPDATE_JOB, READ_JOB, (body, old) => {
    const [skills, before] = [asList(body['allowedSkills']), asList(old['allowedSkills'])];
    return skills.length > 0 && skills.length < before.length
      ? { ...body, allowedSkills: [...skills, ...before.slice(skills.length)] }
      : undefined;
  }),
  define(
    'job-list-omits-empty-description',
    'GET answers the jobs (section 4)',
    [JOB_LIST],
    relist({ op: JOB_LIST }, (all) => all.filter((job) => asObject(job)['description'] !== '')),
    ['reversible'],
  ),
  define(
    'job-media-type-in-capitals-415',
    MEDIA,
    JOBS,
    at(
      where(JOBS, (_, call) => /[A-Z]/.test((call.headers['content-type'] ?? '').split(';')[0] ?? '')),
      () => problem(415),
    ),
    ['reversible'],
  ),
  stumbles('job-malformed-uuid-500', JOBS, malformedUuid),
];

export const EXAM: readonly Mutant[] = [...POLICIES, ...AGENT_BODIES, ...JOB_BODIES].map(exam);
