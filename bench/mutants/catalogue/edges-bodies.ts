import { asList, asObject, at, hit, parsed, problem, succeeded, wait, withJson } from '../kit.ts';
import type { JsonMap } from '../kit.ts';
import type { Mutant } from '../types.ts';
import {
  AGENTS,
  BACK,
  define,
  FIVE,
  JOBS,
  mangles,
  mapStrings,
  metadata,
  name,
  POLICY,
  rules,
  sources,
  str,
  strings,
  trips,
  WRITES,
} from './inputs-kit.ts';

const [CREATE_JOB, UPDATE_JOB] = ['POST /aijob', 'PUT /aijob/{id}'];
const WHOLE_JOBS = JOBS.slice(0, 2);
const READ_POLICY = [`GET ${POLICY}/{id}`];
const READ_AGENT = ['GET /aiagent/{id}'];
const READ_JOB = ['GET /aijob/{id}'];
const entries = (
  body: JsonMap,
  change: (entries: readonly (readonly [string, unknown])[]) => readonly (readonly [string, unknown])[],
): JsonMap => (metadata(body).length === 0 ? body : { ...body, metadata: Object.fromEntries(change(metadata(body))) });
const leaves = (rule: unknown): readonly JsonMap[] => [
  asObject(rule),
  ...asList(asObject(rule)['rules']).flatMap(leaves),
];

const LENGTHS: readonly Mutant[] = [
  trips('edge-policy-name-exactly-256-500', WRITES, (body) => name(body).length === 256),
  trips(
    'edge-policy-name-255-bytes-500',
    WRITES,
    (body) => Buffer.byteLength(name(body)) > 255 && name(body).length <= 255,
  ),
  trips('edge-agent-description-exactly-1023-500', AGENTS, (body) => str(body['description']).length === 1023),
  trips('edge-agent-instructions-over-65535-500', AGENTS, (body) => str(body['instructions']).length > 65_535),
  trips('edge-job-prompt-exactly-4096-500', WHOLE_JOBS, (body) => str(body['prompt']).length === 4096),
  trips('edge-rule-name-over-100-500', WRITES, (body) => rules(body).some((rule) => name(rule).length > 100)),
  trips('edge-metadata-key-over-100-500', AGENTS, (body) => metadata(body).some(([key]) => key.length > 100)),
  mangles(
    'edge-job-prompt-cut-at-32767',
    WHOLE_JOBS,
    (body) => mapStrings(body, ['prompt'], (text) => text.slice(0, 32_767)),
    READ_JOB,
  ),
  mangles(
    'edge-metadata-value-cut-at-255',
    AGENTS,
    (body) => entries(body, (all) => all.map(([key, value]) => [key, str(value).slice(0, 255)])),
    READ_AGENT,
  ),
  mangles(
    'edge-job-description-over-2000-lost',
    WHOLE_JOBS,
    (body) => mapStrings(body, ['description'], (text) => (text.length > 2000 ? '' : text)),
    READ_JOB,
  ),
];

const CHARACTERS: readonly Mutant[] = [
  trips('edge-policy-name-line-separator-500', WRITES, (body) => /[\u2028\u2029]/.test(name(body))),
  trips('edge-agent-name-noncharacter-500', AGENTS, (body) => /[\uFFFE\uFFFF]/.test(name(body))),
  trips('edge-job-description-cjk-500', WHOLE_JOBS, (body) => /\p{Script=Han}/u.test(str(body['description']))),
  trips('edge-agent-instructions-dollar-500', AGENTS, (body) => str(body['instructions']).includes('$')),
  trips('edge-policy-description-only-spaces-500', WRITES, (body) => /^ +$/.test(str(body['description']))),
  trips('edge-rule-description-null-character-500', WRITES, (body) =>
    rules(body).some((rule) => str(rule['description']).includes('\0')),
  ),
  trips('edge-filter-value-apostrophe-500', WRITES, (body) =>
    leaves(body['condition']).some((rule) => asList(rule['value']).some((value) => str(value).includes("'"))),
  ),
  mangles(
    'edge-agent-description-byte-order-mark-lost',
    AGENTS,
    (body) => mapStrings(body, ['description'], (text) => text.replace(/^\uFEFF/, '')),
    READ_AGENT,
  ),
  mangles(
    'edge-job-name-plus-becomes-space',
    WHOLE_JOBS,
    (body) => mapStrings(body, ['name'], (text) => text.replaceAll('+', ' ')),
    READ_JOB,
  ),
  mangles(
    'edge-policy-description-percent-decoded',
    WRITES,
    (body) =>
      mapStrings(body, ['description'], (text) =>
        text.replaceAll(/%[2-7][0-9a-f]/gi, (code) => decodeURIComponent(code)),
      ),
    READ_POLICY,
  ),
  mangles(
    'edge-agent-instructions-cut-at-null-character',
    AGENTS,
    (body) => mapStrings(body, ['instructions'], (text) => text.split('\0')[0] ?? ''),
    READ_AGENT,
  ),
  mangles(
    'edge-policy-name-sharp-s-folded',
    WRITES,
    (body) => mapStrings(body, ['name'], (text) => text.replaceAll('ß', 'ss')),
    READ_POLICY,
  ),
  mangles(
    'edge-agent-description-spaces-collapsed',
    AGENTS,
    (body) => mapStrings(body, ['description'], (text) => text.replaceAll(/ {2,}/g, ' ')),
    READ_AGENT,
  ),
  mangles(
    'edge-job-prompt-last-line-end-lost',
    WHOLE_JOBS,
    (body) => mapStrings(body, ['prompt'], (text) => text.replace(/\n$/, '')),
    READ_JOB,
  ),
  mangles(
    'edge-agent-name-joiner-lost',
    AGENTS,
    (body) => mapStrings(body, ['name'], (text) => text.replaceAll('\u200D', '')),
    READ_AGENT,
  ),
  mangles(
    'edge-metadata-value-ampersand-escaped',
    WHOLE_JOBS,
    (body) => entries(body, (all) => all.map(([key, value]) => [key, str(value).replaceAll('&', '&amp;')])),
    READ_JOB,
  ),
  mangles(
    'edge-policy-description-date-rewritten',
    WRITES,
    (body) =>
      mapStrings(body, ['description'], (text) =>
        text.replace(/^(\d{4})-(\d\d)-(\d\d)T(\d\d:\d\d:\d\d)Z$/, '$2/$3/$1 $4'),
      ),
    READ_POLICY,
  ),
  mangles(
    'edge-policy-description-number-trimmed',
    WRITES,
    (body) => mapStrings(body, ['description'], (text) => (/^\d+$/.test(text) ? String(Number(text)) : text)),
    READ_POLICY,
  ),
  mangles(
    'edge-job-prompt-soft-hyphen-lost',
    WHOLE_JOBS,
    (body) => mapStrings(body, ['prompt'], (text) => text.replaceAll('\u00AD', '')),
    READ_JOB,
  ),
  mangles(
    'edge-agent-description-tab-becomes-spaces',
    AGENTS,
    (body) => mapStrings(body, ['description'], (text) => text.replaceAll('\t', '    ')),
    READ_AGENT,
  ),
  mangles(
    'edge-nested-rule-name-trimmed',
    WRITES,
    (body) =>
      rules(body).length > 0
        ? { ...body, rules: rules(body).map((rule) => mapStrings(rule, ['name'], (text) => text.trim())) }
        : body,
    READ_POLICY,
  ),
];

const SHAPES: readonly Mutant[] = [
  trips('edge-policy-order-largest-500', WRITES, (body) => body['order'] === 2_147_483_647),
  trips('edge-rule-order-negative-500', WRITES, (body) =>
    rules(body).some((rule) => typeof rule['order'] === 'number' && rule['order'] < 0),
  ),
  trips('edge-policy-over-100-rules-500', WRITES, (body) => rules(body).length > 100),
  trips('edge-policy-exactly-seven-rules-500', WRITES, (body) => rules(body).length === 7),
  trips('edge-filter-over-50-values-500', WRITES, (body) =>
    leaves(body['condition']).some((rule) => asList(rule['value']).length > 50),
  ),
  trips('edge-filter-value-null-500', WRITES, (body) =>
    leaves(body['condition']).some((rule) => rule['value'] === null),
  ),
  trips('edge-policy-rules-null-500', WRITES, (body) => body['rules'] === null),
  trips(
    'edge-policy-attention-while-active-500',
    WRITES,
    (body) => body['requiresAttention'] === true && body['isActive'] === true,
  ),
  trips(
    'edge-policy-condition-without-description-500',
    WRITES,
    (body) => Object.keys(asObject(body['condition'])).length > 0 && typeof body['description'] !== 'string',
  ),
  trips('edge-rule-id-twice-500', WRITES, (body) => {
    const ids = rules(body).flatMap((rule) => ('id' in rule ? [rule['id']] : []));
    return new Set(ids).size < ids.length;
  }),
  trips('edge-agent-only-name-500', AGENTS, (body) => Object.keys(body).length === 1 && 'name' in body),
  trips('edge-agent-metadata-exactly-eleven-500', AGENTS, (body) => metadata(body).length === 11),
  trips('edge-agent-metadata-value-equals-key-500', AGENTS, (body) =>
    metadata(body).some(([key, value]) => key === value),
  ),
  trips(
    'edge-agent-description-equals-instructions-500',
    AGENTS,
    (body) => str(body['description']) !== '' && body['description'] === body['instructions'],
  ),
  trips(
    'edge-agent-metadata-null-with-instructions-500',
    AGENTS,
    (body) => body['metadata'] === null && str(body['instructions']) !== '',
  ),
  trips(
    'edge-job-schedule-flag-without-schedule-500',
    WHOLE_JOBS,
    (body) => body['enableCronSchedule'] === true && str(body['cronSchedule']) === '',
  ),
  trips('edge-job-source-name-null-500', WHOLE_JOBS, (body) => sources(body).some((source) => source['name'] === null)),
  trips('edge-job-sample-without-size-500', WHOLE_JOBS, (body) =>
    sources(body).some((source) => source['sample'] === true && typeof source['sampleSize'] !== 'number'),
  ),
  trips(
    'edge-job-prompt-and-skills-missing-500',
    WHOLE_JOBS,
    (body) => !('prompt' in body) && !('allowedSkills' in body),
  ),
  trips('edge-job-empty-skill-500', WHOLE_JOBS, (body) => asList(body['allowedSkills']).includes('')),
  mangles(
    'edge-job-sample-size-clipped-at-500',
    WHOLE_JOBS,
    (body) =>
      sources(body).length > 0
        ? {
            ...body,
            dataSources: sources(body).map((source) =>
              Number(source['sampleSize']) > 500 ? { ...source, sampleSize: 500 } : source,
            ),
          }
        : body,
    READ_JOB,
  ),
  mangles(
    'edge-job-twenty-first-skill-lost',
    WHOLE_JOBS,
    (body) =>
      asList(body['allowedSkills']).length > 20
        ? { ...body, allowedSkills: asList(body['allowedSkills']).slice(0, 20) }
        : body,
    READ_JOB,
  ),
  mangles(
    'edge-metadata-numeric-key-lost',
    AGENTS,
    (body) => entries(body, (all) => all.filter(([key]) => !/^\d+$/.test(key))),
    READ_AGENT,
  ),
  mangles(
    'edge-metadata-empty-key-lost',
    AGENTS,
    (body) => entries(body, (all) => all.filter(([key]) => key !== '')),
    READ_AGENT,
  ),
  mangles(
    'edge-metadata-key-trimmed',
    AGENTS,
    (body) => entries(body, (all) => all.map(([key, value]) => [key.trim(), value])),
    READ_AGENT,
  ),
  mangles(
    'edge-second-rule-inactive-becomes-active',
    WRITES,
    (body) =>
      rules(body).length > 1
        ? {
            ...body,
            rules: rules(body).map((rule, index) =>
              index > 0 && rule['isActive'] === false ? { ...rule, isActive: true } : rule,
            ),
          }
        : body,
    READ_POLICY,
  ),
  mangles(
    'edge-filter-values-deduplicated',
    WRITES,
    (body) =>
      asList(asObject(body['condition'])['value']).length > 1
        ? {
            ...body,
            condition: {
              ...asObject(body['condition']),
              value: [...new Set(asList(asObject(body['condition'])['value']))],
            },
          }
        : body,
    READ_POLICY,
  ),
];

const describedAs = (value: unknown): string => str(asObject(value)['description']);

const LATER: readonly Mutant[] = [
  define(
    'edge-read-policy-backslash-500',
    FIVE,
    [`POST ${POLICY}`, ...READ_POLICY],
    at(READ_POLICY, async (_, next) => {
      const reply = await next();
      return succeeded(reply) && describedAs(parsed(reply)).includes('\\') ? problem(500) : reply;
    }),
    ['reversible'],
  ),
  define(
    'edge-read-job-long-description-shape',
    'GET answers AiJobViewModel (section 4)',
    ['POST /aijob', ...READ_JOB],
    at(READ_JOB, async (_, next) => {
      const reply = await next();
      return succeeded(reply) && describedAs(parsed(reply)).length > 500
        ? withJson(reply, { ...asObject(parsed(reply)), description: { text: describedAs(parsed(reply)) } })
        : reply;
    }),
    ['reversible'],
  ),
  define(
    'edge-list-policies-emoji-500',
    FIVE,
    [`GET ${POLICY}`],
    at(`GET ${POLICY}`, async (_, next) => {
      const reply = await next();
      return succeeded(reply) && strings(parsed(reply)).some((text) => /[\u{10000}-\u{10ffff}]/u.test(text))
        ? problem(500)
        : reply;
    }),
    ['reversible'],
  ),
  define(
    'edge-list-jobs-cuts-names',
    BACK,
    ['GET /aijob'],
    at('GET /aijob', async (_, next) => {
      const reply = await next();
      return succeeded(reply)
        ? withJson(
            reply,
            asList(parsed(reply)).map((job) => ({ ...asObject(job), name: name(asObject(job)).slice(0, 100) })),
          )
        : reply;
    }),
    ['reversible'],
  ),
  define(
    'edge-delete-agent-with-metadata-500',
    FIVE,
    ['POST /aiagent', 'DELETE /aiagent/{id}'],
    at('DELETE /aiagent/{id}', async (call, next, context) => {
      const before = parsed(await context.ask('GET', call.path));
      return metadata(asObject(before)).length > 3 ? problem(500) : next();
    }),
    ['reversible'],
  ),
  define(
    'edge-update-policy-null-keeps-description',
    BACK,
    [`PUT ${POLICY}/{id}`, ...READ_POLICY],
    at(`PUT ${POLICY}/{id}`, async (call, next, context) => {
      const body = asObject(call.json);
      if (call.role !== 'full' || body['description'] !== null) return next();
      const before = asObject(parsed(await context.ask('GET', call.path)));
      return next({ body: Buffer.from(JSON.stringify({ ...body, description: before['description'] ?? null })) });
    }),
    ['reversible'],
  ),
  define(
    'edge-update-agent-empty-metadata-keeps',
    BACK,
    ['PUT /aiagent/{id}', ...READ_AGENT],
    at('PUT /aiagent/{id}', async (call, next, context) => {
      const body = asObject(call.json);
      if (call.role !== 'full' || body['metadata'] === null || !('metadata' in body) || metadata(body).length > 0)
        return next();
      const before = asObject(parsed(await context.ask('GET', call.path)));
      return next({ body: Buffer.from(JSON.stringify({ ...body, metadata: before['metadata'] ?? {} })) });
    }),
    ['reversible'],
  ),
  define(
    'edge-update-agent-merges-metadata',
    BACK,
    ['PUT /aiagent/{id}', ...READ_AGENT],
    at('PUT /aiagent/{id}', async (call, next, context) => {
      const body = asObject(call.json);
      if (call.role !== 'full' || metadata(body).length === 0) return next();
      const before = asObject(asObject(parsed(await context.ask('GET', call.path)))['metadata']);
      return next({
        body: Buffer.from(JSON.stringify({ ...body, metadata: { ...before, ...asObject(body['metadata']) } })),
      });
    }),
    ['reversible'],
  ),
  define(
    'edge-update-job-astral-202',
    'PUT answers 200, AiJobViewModel (section 4)',
    [UPDATE_JOB],
    at(UPDATE_JOB, async (call, next) => {
      const reply = await next();
      return succeeded(reply) && strings(call.json).some((text) => /[\u{10000}-\u{10ffff}]/u.test(text))
        ? { ...reply, status: 202 }
        : reply;
    }),
    ['reversible'],
  ),
  define(
    'edge-create-job-quote-hangs',
    FIVE,
    [CREATE_JOB],
    at(CREATE_JOB, async (call, next) => {
      if (call.role === 'full' && str(asObject(call.json)['description']).includes('"')) await wait(90_000);
      return next();
    }),
    ['reversible'],
  ),
  define(
    'edge-create-policy-control-cuts',
    FIVE,
    [`POST ${POLICY}`],
    at(`POST ${POLICY}`, async (call, next) => {
      const reply = await next();
      return succeeded(reply) && strings(call.json).some((text) => text.includes('\u0001'))
        ? { ...reply, wire: 'reset' }
        : reply;
    }),
    ['reversible'],
  ),
  define(
    'edge-every-40th-agent-update-500',
    FIVE,
    ['PUT /aiagent/{id}'],
    () => {
      let count = 0;
      return (call, next) =>
        hit(call, 'PUT /aiagent/{id}') && call.role === 'full' && ++count % 40 === 0 ? problem(500) : next();
    },
    ['reversible'],
  ),
  define(
    'edge-two-jobs-at-once-500',
    FIVE,
    ['POST /aijob'],
    () => {
      let busy = 0;
      return async (call, next) => {
        if (!hit(call, 'POST /aijob') || call.role !== 'full') return next();
        busy += 1;
        await wait(2);
        const crowded = busy > 1;
        try {
          return crowded ? problem(500) : await next();
        } finally {
          busy -= 1;
        }
      };
    },
    ['reversible'],
  ),
];

export const EDGES_BODIES: readonly Mutant[] = [...LENGTHS, ...CHARACTERS, ...SHAPES, ...LATER];
