import { answers, asList, asObject, asks, at, json, parsed, problem, succeeded, withBody } from '../kit.ts';
import type { JsonMap } from '../kit.ts';
import type { Mutant } from '../types.ts';
import {
  AGENTS,
  BACK,
  define,
  edits,
  everyNth,
  hash,
  keys,
  mangles,
  MEDIA,
  overlooks,
  POLICY,
  raw,
  READ_AGENT,
  READ_POLICY,
  str,
  strOf,
  stumbles,
  trips,
  where,
  withEntries,
  WRITES,
} from './fresh-kit.ts';
import { itself } from './parts.ts';

const [CREATE, UPDATE] = WRITES;
const [, UPDATE_AGENT] = AGENTS;
const LIST = `GET ${POLICY}`;
const conditionValue = (body: JsonMap): readonly unknown[] => asList(asObject(body['condition'])['value']);
const withValue =
  (change: (list: readonly unknown[]) => readonly unknown[]) =>
  (body: JsonMap): JsonMap =>
    conditionValue(body).length === 0
      ? body
      : { ...body, condition: { ...asObject(body['condition']), value: change(conditionValue(body)) } };
const levels = (rule: unknown): number => 1 + Math.max(0, ...asList(asObject(rule)['rules']).map(levels));

const POLICY_SIZES: readonly Mutant[] = [
  trips(
    'policy-name-more-bytes-than-100-500',
    WRITES,
    strOf('name', (text) => text.length <= 100 && Buffer.byteLength(text) > 100),
  ),
  everyNth('policy-big-body-every-20th-500', WRITES, 20, (_, call) => call.body.length > 1024),
  trips('policy-condition-4-deep-500', WRITES, (body) => levels(body['condition']) >= 4),
];

const POLICY_CHARACTERS: readonly Mutant[] = [
  edits('policy-description-trimmed', WRITES, 'description', (text) => text.trimEnd(), READ_POLICY),
  edits(
    'policy-name-marks-of-direction-lost',
    WRITES,
    'name',
    (text) => text.replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, ''),
    READ_POLICY,
  ),
  trips(
    'policy-name-longer-in-upper-case-500',
    WRITES,
    strOf('name', (text) => text.toUpperCase().length !== text.length),
  ),
];

const POLICY_SHAPES: readonly Mutant[] = [
  mangles(
    'policy-condition-value-falsy-dropped',
    WRITES,
    withValue((list) => list.filter(Boolean)),
    READ_POLICY,
  ),
  mangles(
    'policy-description-of-same-text-lost',
    WRITES,
    (body) =>
      typeof body['name'] === 'string' && body['name'] === body['description'] ? { ...body, description: null } : body,
    READ_POLICY,
  ),
  overlooks(
    'policy-update-empty-rules-keep-old',
    UPDATE,
    (body) => (Array.isArray(body['rules']) && body['rules'].length === 0 ? ['rules'] : []),
    READ_POLICY,
  ),
  define(
    'policy-create-empty-description-answers-object',
    'POST answers a uuid string (section 4)',
    CREATE,
    answers(
      where([CREATE], (body) => body['description'] === ''),
      (reply) => (succeeded(reply) ? json({ id: parsed(reply) }) : reply),
    ),
    ['reversible'],
  ),
  define(
    'policy-create-refused-but-made',
    'a request that is refused with 400 changes nothing (section 7)',
    [CREATE, LIST],
    at(
      where([CREATE], () => true),
      async (call, next, context) => {
        const reply = await next();
        const { name, description } = asObject(call.json);
        if (
          reply.status === 400 &&
          typeof name === 'string' &&
          description !== undefined &&
          typeof description !== 'string'
        )
          await context.ask('POST', `/api${POLICY}`, { name });
        return reply;
      },
    ),
    ['reversible'],
  ),
];

const POLICY_OTHERS: readonly Mutant[] = [
  trips('policy-escaped-letters-500', WRITES, (_, call) => /\\u00[2-9a-f][0-9a-f]/i.test(raw(call))),
  define(
    'policy-read-plain-text-latin1',
    'JSON responses are offered as text/plain (section 4)',
    READ_POLICY,
    answers(
      where(READ_POLICY, (_, call) => (call.headers['accept'] ?? '').startsWith('text/plain')),
      (reply) => (succeeded(reply) ? { ...reply, body: Buffer.from(reply.body.toString('utf8'), 'latin1') } : reply),
    ),
  ),
  edits(
    'policy-unversioned-name-collapses-spaces',
    WRITES,
    'name',
    (text) => text.replaceAll(/\s{2,}/g, ' '),
    READ_POLICY,
    '/api',
  ),
];

const AGENT_SIZES: readonly Mutant[] = [
  trips(
    'agent-instructions-multiple-of-64-500',
    AGENTS,
    strOf('instructions', (text) => text.length > 0 && text.length % 64 === 0),
  ),
  edits(
    'agent-name-of-64-loses-last',
    AGENTS,
    'name',
    (text) => (text.length === 64 ? text.slice(0, 63) : text),
    READ_AGENT,
  ),
  mangles(
    'agent-metadata-beyond-16-lost',
    AGENTS,
    withEntries((all) => all.slice(0, 16)),
    READ_AGENT,
  ),
  trips(
    'agent-name-hash-mod-24-500',
    AGENTS,
    strOf('name', (text) => hash(text) % 24 === 11),
  ),
];

const AGENT_CHARACTERS: readonly Mutant[] = [
  edits('agent-description-composed', AGENTS, 'description', (text) => text.normalize('NFC'), READ_AGENT),
  edits('agent-name-latin1-only', AGENTS, 'name', (text) => text.replaceAll(/[^\0-\u00ff]/g, '?'), READ_AGENT),
  edits(
    'agent-description-ampersand-escaped',
    AGENTS,
    'description',
    (text) => text.replaceAll('&', '&amp;'),
    READ_AGENT,
  ),
  trips(
    'agent-description-control-character-500',
    AGENTS,
    strOf('description', (text) =>
      text.split('').some((character) => character < ' ' && !'\t\r\n'.includes(character)),
    ),
  ),
];

const AGENT_SHAPES: readonly Mutant[] = [
  mangles(
    'agent-metadata-dates-reparsed',
    AGENTS,
    withEntries((all) =>
      all.map(([key, value]) => [
        key,
        /^\d{4}-\d\d-\d\d(?:T|$)/.test(str(value)) && !Number.isNaN(Date.parse(str(value)))
          ? new Date(str(value)).toISOString()
          : value,
      ]),
    ),
    READ_AGENT,
  ),
  mangles(
    'agent-metadata-dotted-keys-underscored',
    AGENTS,
    withEntries((all) => all.map(([key, value]) => [key.replaceAll('.', '_'), value])),
    READ_AGENT,
  ),
  trips('agent-metadata-key-a-number-500', AGENTS, (body) => keys(body).some((key) => /^\d+$/.test(key))),
  trips(
    'agent-null-description-with-empty-instructions-500',
    AGENTS,
    (body) => body['description'] === null && body['instructions'] === '',
  ),
  overlooks(
    'agent-update-empty-text-keeps-old',
    UPDATE_AGENT,
    (body) => ['description', 'instructions'].filter((key) => body[key] === ''),
    READ_AGENT,
  ),
  define(
    'agent-list-falls-over-null-metadata',
    'GET answers 200 (section 4)',
    ['GET /aiagent'],
    answers(
      where(['GET /aiagent'], () => true),
      (reply) => (asList(parsed(reply)).some((agent) => asObject(agent)['metadata'] === null) ? problem(500) : reply),
    ),
    ['reversible'],
  ),
];

const AGENT_OTHERS: readonly Mutant[] = [
  stumbles('agent-body-null-500', AGENTS, (_, call) => raw(call).trim() === 'null'),
  define(
    'agent-text-json-latin1',
    MEDIA,
    [...AGENTS, ...READ_AGENT],
    asks(
      where(
        AGENTS,
        (_, call) =>
          (call.headers['content-type'] ?? '').startsWith('text/json') && raw(call).length !== call.body.length,
      ),
      (call) => ({ body: Buffer.from(call.body.toString('latin1')) }),
    ),
    ['reversible'],
  ),
  trips('agent-line-breaks-between-members-500', AGENTS, (_, call) => /^\s*\{\s*\n/.test(raw(call))),
  define(
    'agent-update-refused-but-renamed',
    'a request that is refused with 400 changes nothing (section 7)',
    [UPDATE_AGENT, ...READ_AGENT],
    at(
      where([UPDATE_AGENT], (body) => str(body['name']) !== ''),
      async (call, next, context) => {
        const reply = await next();
        const old = reply.status === 400 ? asObject(parsed(await context.ask('GET', itself(call)))) : {};
        if (old['id'] !== undefined)
          await context.ask('PUT', itself(call), { ...old, name: asObject(call.json)['name'] });
        return reply;
      },
    ),
    ['reversible'],
  ),
  define(
    'agent-v1-metadata-lower-case',
    `${BACK}, in both forms`,
    [...AGENTS, ...READ_AGENT],
    asks(
      where(AGENTS, (body) => keys(body).some((key) => key !== key.toLowerCase()), '/api/v1'),
      (call) =>
        withBody(withEntries((all) => all.map(([key, value]) => [key.toLowerCase(), value]))(asObject(call.json))),
    ),
    ['reversible'],
  ),
];

export const FRESH_BODIES = [
  ...POLICY_SIZES,
  ...POLICY_CHARACTERS,
  ...POLICY_SHAPES,
  ...POLICY_OTHERS,
  ...AGENT_SIZES,
  ...AGENT_CHARACTERS,
  ...AGENT_SHAPES,
  ...AGENT_OTHERS,
] as const satisfies readonly Mutant[];
