import type { Defect } from '../defect.ts';
import { asList, asObject, hit, json, parsed, problem, replies, requests, succeeded } from '../proxy/edit.ts';
import type { JsonMap } from '../proxy/edit.ts';
import { itself } from './items.ts';
import type { Make } from '../proxy/message.ts';
import {
  AGENTS,
  alters,
  CREATE,
  depends,
  entries,
  fails,
  failsRefusing,
  hash,
  keys,
  POLICIES,
  READ,
  READ_AGENT,
  row,
  STORED,
  stores,
  str,
  text,
  UPDATE,
  where,
  withEntries,
} from './kit.ts';

const [, UPDATE_AGENT] = AGENTS;
const filterValues = (body: JsonMap): readonly unknown[] => asList(asObject(body['condition'])['value']);
const withFilterValues =
  (change: (list: readonly unknown[]) => readonly unknown[]) =>
  (body: JsonMap): JsonMap =>
    filterValues(body).length === 0
      ? body
      : { ...body, condition: { ...asObject(body['condition']), value: change(filterValues(body)) } };
const firstOfName = (rules: readonly unknown[]): readonly unknown[] =>
  rules.filter(
    (rule, index) => rules.findIndex((other) => asObject(other)['name'] === asObject(rule)['name']) === index,
  );
const sameButForCase = (a: string, b: string): boolean => a !== b && a.toLowerCase() === b.toLowerCase();
/** Answers 500 to every `nth` valid request that fits. */
const failsEvery = (name: string, ops: readonly string[], nth: number, test: (size: number) => boolean): Defect => {
  const make: Make = () => {
    let seen = 0;
    return async (call, next) => {
      const reply = await next();
      if (
        !hit(
          call,
          where(ops, () => test(call.body.length)),
        ) ||
        !succeeded(reply)
      )
        return reply;
      seen += 1;
      return seen % nth === 0 ? problem(500) : reply;
    };
  };
  return row(name, 'valid requests succeed (section 7)', ops, ['no-server-error'], make);
};

/** Every 25th update is answered with 200 and taken back. */
const forgetsSome: Make = (context) => {
  let seen = 0;
  return async (call, next) => {
    if (
      !hit(
        call,
        where([UPDATE_AGENT], () => true),
      )
    )
      return next();
    const old = asObject(parsed(await context.send('GET', itself(call))));
    const reply = await next();
    if (succeeded(reply) && (seen += 1) % 25 === 0) await context.send('PUT', itself(call), old);
    return reply;
  };
};

const POLICY_BODIES: readonly Defect[] = [
  fails(
    'policy-name-over-100-bytes-500',
    POLICIES,
    text('name', (value) => value.length <= 100 && Buffer.byteLength(value) > 100),
  ),
  failsEvery('big-policy-every-20th-500', POLICIES, 20, (size) => size > 1024),
  alters('policy-name-direction-marks-lost', POLICIES, READ, 'name', (value) =>
    value.replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, ''),
  ),
  fails(
    'policy-name-longer-in-upper-case-500',
    POLICIES,
    text('name', (value) => value.toUpperCase().length !== value.length),
  ),
  stores(
    'policy-falsy-filter-values-dropped',
    POLICIES,
    READ,
    withFilterValues((list) => list.filter(Boolean)),
  ),
  stores(
    'policy-filter-digits-become-numbers',
    POLICIES,
    READ,
    withFilterValues((list) => list.map((value) => (/^\d{1,9}$/.test(str(value)) ? Number(value) : value))),
  ),
  stores('policy-description-equal-to-name-lost', POLICIES, READ, (body) =>
    typeof body['name'] === 'string' && body['name'] === body['description'] ? { ...body, description: null } : body,
  ),
  stores('policy-update-loses-rule-conditions', [POLICIES[1]], READ, (body) =>
    Array.isArray(body['rules'])
      ? { ...body, rules: asList(body['rules']).map((rule) => ({ ...asObject(rule), conditions: undefined })) }
      : body,
  ),
  stores('policy-rules-of-one-name-merged', POLICIES, READ, (body) =>
    Array.isArray(body['rules']) ? { ...body, rules: firstOfName(asList(body['rules'])) } : body,
  ),
  alters('policy-description-past-4000-cut', POLICIES, READ, 'description', (value) => value.slice(0, 4000)),
  alters(
    'policy-spaces-collapsed-unversioned',
    POLICIES,
    READ,
    'name',
    (value) => value.replaceAll(/\s{2,}/g, ' '),
    '/api',
  ),
  depends('policy-rename-by-case-ignored', UPDATE, READ, (body, old) =>
    sameButForCase(str(body['name']), str(old['name'])) ? { ...body, name: old['name'] } : undefined,
  ),
  depends('policy-update-of-same-name-keeps-description', UPDATE, READ, (body, old) =>
    typeof body['description'] === 'string' && body['name'] === old['name']
      ? { ...body, description: old['description'] }
      : undefined,
  ),
  row(
    'policy-without-description-answers-object',
    'POST answers a uuid string (section 4)',
    [CREATE],
    ['body-fits-schema'],
    replies(
      where([CREATE], (body) => body['description'] === ''),
      (reply) => (succeeded(reply) ? json({ id: parsed(reply) }) : reply),
    ),
  ),
  fails('policy-escaped-letters-500', POLICIES, (_, call) => /\\u00[2-9a-f][0-9a-f]/i.test(call.body.toString())),
];

const AGENT_BODIES: readonly Defect[] = [
  fails(
    'agent-instructions-multiple-of-64-500',
    AGENTS,
    text('instructions', (value) => value.length > 0 && value.length % 64 === 0),
  ),
  alters('agent-name-of-64-loses-last', AGENTS, READ_AGENT, 'name', (value) =>
    value.length === 64 ? value.slice(0, 63) : value,
  ),
  stores(
    'agent-metadata-past-16-lost',
    AGENTS,
    READ_AGENT,
    withEntries((all) => all.slice(0, 16)),
  ),
  fails(
    'agent-name-of-hash-500',
    AGENTS,
    text('name', (value) => hash(value) % 24 === 11),
  ),
  fails(
    'agent-control-character-500',
    AGENTS,
    text('description', (value) => /\p{Cc}/u.test(value.replaceAll(/[\t\r\n]/g, ''))),
  ),
  stores(
    'agent-metadata-dots-underscored',
    AGENTS,
    READ_AGENT,
    withEntries((all) => all.map(([key, value]) => [key.replaceAll('.', '_'), value])),
  ),
  stores(
    'agent-metadata-empty-values-lost',
    AGENTS,
    READ_AGENT,
    withEntries((all) => all.filter(([, value]) => value !== '')),
  ),
  fails('agent-metadata-numeric-key-500', AGENTS, (body) => keys(body).some((key) => /^\d+$/.test(key))),
  fails('agent-null-beside-empty-500', AGENTS, (body) => body['description'] === null && body['instructions'] === ''),
  failsRefusing('agent-metadata-not-text-500', AGENTS, (body) =>
    entries(body).some(([, value]) => value !== null && typeof value !== 'string'),
  ),
  fails(
    'agent-update-of-name-only-500',
    [UPDATE_AGENT],
    (body) => Object.keys(body).length === 1 && typeof body['name'] === 'string',
    '/api/v1',
  ),
  alters('agent-tabs-become-spaces', AGENTS, READ_AGENT, 'instructions', (value) => value.replaceAll('\t', ' ')),
  row('agent-update-every-25th-lost', STORED, [UPDATE_AGENT, READ_AGENT], ['updated-reads-back'], forgetsSome),
  row(
    'agents-with-null-metadata-fail-list',
    'GET answers 200 (section 4)',
    ['GET /aiagent'],
    ['no-server-error'],
    replies(
      where(['GET /aiagent'], () => true),
      (reply) => (asList(parsed(reply)).some((agent) => asObject(agent)['metadata'] === null) ? problem(500) : reply),
    ),
  ),
  row(
    'agent-text-json-read-as-latin1',
    'bodies are accepted as text/json (section 4)',
    [...AGENTS, READ_AGENT],
    ['equal-json', 'updated-reads-back', 'created-reads-back', 'request-media-types'],
    requests(
      where(
        AGENTS,
        (_, call) =>
          (call.headers['content-type'] ?? '').startsWith('text/json') &&
          call.body.toString().length !== call.body.length,
      ),
      (call) => ({ body: Buffer.from(call.body.toString('latin1')) }),
    ),
  ),
];

export const BODIES: readonly Defect[] = [...POLICY_BODIES, ...AGENT_BODIES];
