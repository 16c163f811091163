import type { Defect } from '../defect.ts';
import type { OperationId } from '../proxy/call.ts';
import { at } from '../proxy/handler.ts';
import { asList, asObject } from '../proxy/json.ts';
import type { JsonMap } from '../proxy/json.ts';
import { empty } from '../proxy/reply.ts';
import { AGENTS, APPROVE, BULK, POLICIES, READ_AGENT, RESULTS, UPDATE, UPDATE_AGENT } from './operations.ts';
import { hash } from '../selection.ts';
import {
  alters,
  AS_TEXT_JSON,
  depends,
  entries,
  fails,
  failsRefusing,
  keys,
  defect,
  sameButForCase,
  stores,
  str,
  failsOnText,
  warning,
  where,
  storesEntries,
} from './kit.ts';

const filterValues = (body: JsonMap): readonly unknown[] => asList(asObject(body['condition'])['value']);
/** Stores changed values of the filter. */
const storesFilterValues = (
  name: string,
  ops: readonly OperationId[],
  change: (list: readonly unknown[]) => readonly unknown[],
): Defect =>
  stores(name, ops, (body) =>
    filterValues(body).length === 0
      ? body
      : { ...body, condition: { ...asObject(body['condition']), value: change(filterValues(body)) } },
  );
const levelsOf = (rule: unknown): number => {
  const [inner] = asList(asObject(rule)['rules']);
  return inner === undefined ? 1 : 1 + levelsOf(inner);
};

const POLICY_BODIES: readonly Defect[] = [
  failsOnText(
    'policy-name-over-100-bytes-500',
    POLICIES,
    'name',
    (value) => value.length <= 100 && Buffer.byteLength(value) > 100,
  ),
  storesFilterValues('policy-falsy-filter-values-dropped', POLICIES, (list) => list.filter(Boolean)),
  storesFilterValues('policy-filter-values-keep-15-digits', POLICIES, (list) =>
    list.map((each) => (typeof each === 'number' ? Number(each.toPrecision(15)) : each)),
  ),
  storesFilterValues('policy-filter-values-lose-their-time-zone', POLICIES, (list) =>
    list.map((each) => str(each).replace(/(T[\d:]+)[+-]\d\d:\d\d$/, '$1Z') || each),
  ),
  storesFilterValues('policy-filter-values-get-a-time', POLICIES, (list) =>
    list.map((each) => (/^\d{4}-\d\d-\d\d$/.test(str(each)) ? `${str(each)}T00:00:00` : each)),
  ),
  storesFilterValues('policy-negative-filter-values-are-positive', POLICIES, (list) =>
    list.map((each) => (typeof each === 'number' ? Math.abs(each) : each)),
  ),
  storesFilterValues('policy-filter-values-below-a-millionth-are-zero', POLICIES, (list) =>
    list.map((each) => (typeof each === 'number' && Math.abs(each) < 1e-6 ? 0 : each)),
  ),
  storesEntries('agent-metadata-digits-as-numbers', AGENTS, (all) =>
    all.map(([key, value]) => [key, /^\d+$/.test(str(value)) ? String(Number(value)) : value]),
  ),
  stores('policy-description-equal-to-name-lost', POLICIES, (body) =>
    typeof body['name'] === 'string' && body['name'] === body['description'] ? { ...body, description: null } : body,
  ),
  // A warning: that an empty map removes the former entries is inferred.
  warning(
    depends('agent-update-with-an-empty-map-keeps-metadata', UPDATE_AGENT, (body, old) =>
      'metadata' in body && keys(body).length === 0 ? { ...body, metadata: old['metadata'] } : undefined,
    ),
  ),
  depends('policy-rename-by-case-ignored', UPDATE, (body, old) =>
    sameButForCase(str(body['name']), str(old['name'])) ? { ...body, name: old['name'] } : undefined,
  ),
  depends('policy-update-of-same-name-keeps-description', UPDATE, (body, old) =>
    typeof body['description'] === 'string' && body['name'] === old['name']
      ? { ...body, description: old['description'] }
      : undefined,
  ),
];

const AGENT_BODIES: readonly Defect[] = [
  alters('agent-name-of-64-loses-last', AGENTS, 'name', (value) => (value.length === 64 ? value.slice(0, 63) : value)),
  alters('agent-instructions-cut-at-65536', AGENTS, 'instructions', (value) => value.slice(0, 65_536)),
  failsOnText('agent-name-of-hash-500', AGENTS, 'name', (value) => hash(value) % 24 === 11),
  failsOnText('agent-control-character-500', AGENTS, 'description', (value) =>
    /\p{Cc}/u.test(value.replaceAll(/[\t\r\n]/g, '')),
  ),
  storesEntries('agent-metadata-empty-values-lost', AGENTS, (all) => all.filter(([, value]) => value !== '')),
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
  defect(
    'agent-text-json-read-as-latin1',
    AS_TEXT_JSON,
    [...AGENTS, READ_AGENT],
    ['equal-json', 'updated-reads-back', 'created-reads-back', 'request-media-types'],
  ).by(
    at(
      where(
        AGENTS,
        (_, call) =>
          (call.headers['content-type'] ?? '').startsWith('text/json') &&
          call.body.toString().length !== call.body.length,
      ),
    ).requests((call) => ({ body: Buffer.from(call.body.toString('latin1')) })),
  ),
];

/** Carries out no approvals in a media type. */
const approvalsIgnored = (name: string, op: OperationId, type: string): Defect =>
  defect(name, 'bodies are accepted as text/json and application/*+json (section 4)', [op, RESULTS], ['approvals']).by(
    at(where([op], (_, { headers }) => str(headers['content-type']).startsWith(type))).handles(() => empty()),
  );

const APPROVALS: readonly Defect[] = [
  approvalsIgnored('approvals-as-text-json-ignored', APPROVE, 'text/json'),
  approvalsIgnored('approvals-as-other-json-ignored', APPROVE, 'application/vnd.'),
  approvalsIgnored('bulk-approvals-as-text-json-ignored', BULK, 'text/json'),
];

export const BODIES: readonly Defect[] = [...POLICY_BODIES, ...AGENT_BODIES, ...APPROVALS];
