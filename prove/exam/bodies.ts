import type { Defect } from '../defect.ts';
import { hit } from '../proxy/call.ts';
import { replies, requests } from '../proxy/handler.ts';
import { asList, asObject } from '../proxy/json.ts';
import type { JsonMap } from '../proxy/json.ts';
import { parsed, problem, succeeded } from '../proxy/reply.ts';
import { itemOf, pathOfItem } from './items.ts';
import type { Make } from '../proxy/message.ts';
import { AGENTS, POLICIES, READ, READ_AGENT, UPDATE, UPDATE_AGENT } from './operations.ts';
import { hash } from '../selection.ts';
import {
  alters,
  depends,
  entries,
  fails,
  failsRefusing,
  keys,
  row,
  sameButForCase,
  STORED,
  stores,
  str,
  text,
  where,
  withEntries,
} from './kit.ts';

const filterValues = (body: JsonMap): readonly unknown[] => asList(asObject(body['condition'])['value']);
const withFilterValues =
  (change: (list: readonly unknown[]) => readonly unknown[]) =>
  (body: JsonMap): JsonMap =>
    filterValues(body).length === 0
      ? body
      : { ...body, condition: { ...asObject(body['condition']), value: change(filterValues(body)) } };
const withoutZeros = (value: unknown): unknown =>
  typeof value === 'string' ? value.replace(/^0+(?=\d+$)/u, '') : value;
const firstOfName = (rules: readonly unknown[]): readonly unknown[] =>
  rules.filter(
    (rule, index) => rules.findIndex((other) => asObject(other)['name'] === asObject(rule)['name']) === index,
  );

const levelsOf = (rule: unknown): number => {
  const [inner] = asList(asObject(rule)['rules']);
  return inner === undefined ? 1 : 1 + levelsOf(inner);
};

/** Reverts every 25th update after it was answered with 200. */
const forgetsSome: Make = (context) => {
  let seen = 0;
  return async (call, next) => {
    if (!hit(call, where([UPDATE_AGENT]))) return next();
    const old = await itemOf(call, context);
    const reply = await next();
    if (succeeded(reply) && (seen += 1) % 25 === 0) await context.send('PUT', pathOfItem(call), old);
    return reply;
  };
};

const POLICY_BODIES: readonly Defect[] = [
  fails(
    'policy-name-over-100-bytes-500',
    POLICIES,
    text('name', (value) => value.length <= 100 && Buffer.byteLength(value) > 100),
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
  stores(
    'policy-filter-values-rounded',
    POLICIES,
    READ,
    withFilterValues((list) =>
      list.map((value) => (typeof value === 'number' ? Math.round(value * 100) / 100 : value)),
    ),
  ),
  stores(
    'policy-filter-values-become-texts',
    POLICIES,
    READ,
    withFilterValues((list) => list.map((value) => (typeof value === 'boolean' ? String(value) : value))),
  ),
  stores(
    'agent-metadata-digits-as-numbers',
    AGENTS,
    READ_AGENT,
    withEntries((all) => all.map(([key, value]) => [key, /^\d+$/.test(str(value)) ? String(Number(value)) : value])),
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
];

const AGENT_BODIES: readonly Defect[] = [
  alters('agent-name-of-64-loses-last', AGENTS, READ_AGENT, 'name', (value) =>
    value.length === 64 ? value.slice(0, 63) : value,
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
    'agent-metadata-empty-values-lost',
    AGENTS,
    READ_AGENT,
    withEntries((all) => all.filter(([, value]) => value !== '')),
  ),
  stores(
    'agent-metadata-leading-zeros-lost',
    AGENTS,
    READ_AGENT,
    withEntries((all) => all.map(([key, value]) => [key, withoutZeros(value)])),
  ),
  stores(
    'agent-metadata-trailing-zeros-lost',
    AGENTS,
    READ_AGENT,
    withEntries((all) =>
      all.map(([key, value]) => [key, /^\d+\.\d+$/.test(str(value)) ? String(Number(value)) : value]),
    ),
  ),
  stores(
    'agent-metadata-booleans-capitalised',
    AGENTS,
    READ_AGENT,
    withEntries((all) =>
      all.map(([key, value]) => [
        key,
        value === 'true' || value === 'false' ? value.charAt(0).toUpperCase() + value.slice(1) : value,
      ]),
    ),
  ),
  stores(
    'agent-metadata-dates-reformatted',
    AGENTS,
    READ_AGENT,
    withEntries((all) =>
      all.map(([key, value]) => [
        key,
        /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(str(value)) ? new Date(str(value)).toUTCString() : value,
      ]),
    ),
  ),
  fails('agent-metadata-numeric-key-500', AGENTS, (body) => keys(body).some((key) => /^\d+$/.test(key))),
  failsRefusing('agent-metadata-not-text-500', AGENTS, (body) =>
    entries(body).some(([, value]) => value !== null && typeof value !== 'string'),
  ),
  fails('condition-nested-30-levels-500', POLICIES, (body) => levelsOf(body['condition']) > 30),
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
    replies(where(['GET /aiagent']), (reply) =>
      asList(parsed(reply)).some((agent) => asObject(agent)['metadata'] === null) ? problem(500) : reply,
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
