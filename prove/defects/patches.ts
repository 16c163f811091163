import { isDeepStrictEqual } from 'node:util';
import type { Defect } from '../defect.ts';
import { stateful } from '../operators/operator.ts';
import { itemId, withBody } from '../proxy/call.ts';
import { at, wait } from '../proxy/handler.ts';
import { asList, asObject } from '../proxy/json.ts';
import type { JsonMap } from '../proxy/json.ts';
import { json, problem, succeeded } from '../proxy/reply.ts';
import { itemOf, pathOfItem } from './items.ts';
import type { Call } from '../proxy/message.ts';
import { PATCH, READ_JOB } from './operations.ts';
import { defect, sameButForCase, str, where } from './kit.ts';

const MEANT = 'PATCH takes an array of JSON Patch operations (section 4; RFC 6902)';
const operations = (call: Call): readonly JsonMap[] => asList(call.json).map(asObject);
const path = (one: JsonMap): string => str(one['path']);
const is = (one: JsonMap, op: string, pattern: RegExp): boolean => one['op'] === op && pattern.test(path(one));
const metadataKey = (one: JsonMap): string => /^\/metadata\/([^/~]+)$/.exec(path(one))?.[1] ?? '';
const has = (job: JsonMap, key: string): boolean => key !== '' && Object.hasOwn(asObject(job['metadata']), key);
const textAt = (job: JsonMap, one: JsonMap): string =>
  str(metadataKey(one) === '' ? job[path(one).slice(1)] : asObject(job['metadata'])[metadataKey(one)]);

/** Replaces the operations of a patch before they are applied, depending on the job. */
const applies = (name: string, change: (all: readonly JsonMap[], job: JsonMap) => readonly JsonMap[]): Defect =>
  defect(name, MEANT, [PATCH, READ_JOB], ['json-patch', 'refused-changes-nothing']).by(
    at(where([PATCH], (_, call) => Array.isArray(call.json))).handles(async (call, next, context) => {
      const after = change(operations(call), await itemOf(call, context));
      return next(isDeepStrictEqual(after, call.json) ? undefined : withBody(after));
    }),
  );

const withoutFilterRules = (one: JsonMap): JsonMap => {
  const value = asObject(one['value']);
  return { ...one, value: { ...value, filterRule: { ...asObject(value['filterRule']), rules: [] } } };
};

/** Answers 500 to a patch with an operation that meets the condition. */
const failsOn = (name: string, some: (one: JsonMap) => boolean): Defect =>
  defect(name, MEANT, [PATCH], ['no-server-error', 'json-patch']).by(
    at(where([PATCH], (_, call) => operations(call).some(some))).replies((reply) =>
      succeeded(reply) || [400, 409].includes(reply.status) ? problem(500) : reply,
    ),
  );

/** Answers 500 to a valid patch with an operation that meets the condition on the job. */
const failsWhere = (name: string, test: (one: JsonMap, job: JsonMap) => boolean): Defect =>
  defect(name, MEANT, [PATCH], ['no-server-error', 'json-patch']).by(
    at(where([PATCH])).handles(async (call, next, context) => {
      const job = await itemOf(call, context);
      const reply = await next();
      return succeeded(reply) && operations(call).some((one) => test(one, job)) ? problem(500) : reply;
    }),
  );

export const PATCHES: readonly Defect[] = [
  ...Object.entries({ 'text-json': 'text/json', 'other-json': 'application/vnd.' }).map(([name, type]) =>
    defect(
      `patch-as-${name}-ignored`,
      'bodies are accepted as text/json and application/*+json (section 4)',
      [PATCH, READ_JOB],
      ['json-patch'],
    ).by(
      at(where([PATCH], (_, { headers }) => str(headers['content-type']).startsWith(type))).handles(
        async (call, _next, context) => json(await itemOf(call, context)),
      ),
    ),
  ),
  applies('patch-added-source-loses-filter-rules', (all) =>
    all.map((one) => (is(one, 'add', /^\/dataSources\/(?:-|\d+)$/) ? withoutFilterRules(one) : one)),
  ),
  applies('patch-tilde-decoded-twice', (all) =>
    all.map((one) => (path(one).includes('~01') ? { ...one, path: path(one).replaceAll('~01', '~1') } : one)),
  ),
  applies('patch-add-of-known-key-ignored', (all, job) =>
    all.filter((one) => !(one['op'] === 'add' && has(job, metadataKey(one)))),
  ),
  applies('patch-test-ignores-case', (all, job) =>
    all.filter((one) => !(one['op'] === 'test' && sameButForCase(str(one['value']), textAt(job, one)))),
  ),
  applies('patch-test-of-a-part-of-a-map-holds', (all, job) =>
    all.filter(({ op, path: to, value }) => {
      const map = to === '/metadata' ? asObject(job['metadata']) : undefined;
      const isPart = map !== undefined && Object.entries(asObject(value)).every(([key, each]) => map[key] === each);
      return op !== 'test' || !isPart;
    }),
  ),
  applies('patch-tests-of-a-known-key-hold', (all, job) =>
    all.filter((one) => !(one['op'] === 'test' && has(job, metadataKey(one)))),
  ),
  applies('patch-tests-in-sources-hold', (all) => all.filter((one) => !is(one, 'test', /^\/dataSources\/\d+\//))),
  defect('same-patch-again-409', MEANT, [PATCH], ['json-patch', 'valid-request-served']).by(
    stateful(() => {
      const last = new Map<string, string>();
      return at(where([PATCH])).handles(async (call, next) => {
        const [id, body] = [itemId(call), call.body.toString()];
        if (last.get(id) === body) return problem(409);
        const reply = await next();
        if (succeeded(reply)) last.set(id, body);
        return reply;
      });
    }),
  ),
  applies('patch-tests-for-null-pass-without-the-key', (all, job) =>
    all.filter((one) => !(one['op'] === 'test' && one['value'] === null && !has(job, metadataKey(one)))),
  ),
  defect('patch-value-false-taken-for-none', MEANT, [PATCH], ['json-patch', 'valid-request-served']).by(
    at(
      where([PATCH], (_, call) => operations(call).some(({ op, value }) => op === 'replace' && value === false)),
    ).successes(() => problem(400)),
  ),
  defect('patched-prompt-undone-after-500-ms', MEANT, [PATCH, READ_JOB], ['json-patch']).by(
    at(where([PATCH])).handles(async (call, next, context) => {
      const { prompt = null } = await itemOf(call, context);
      const reply = await next();
      const undo = [{ op: 'replace', path: '/prompt', value: prompt }];
      if (succeeded(reply)) void wait(500).then(() => context.send('PATCH', pathOfItem(call), undo).catch(() => {}));
      return reply;
    }),
  ),
  applies('patch-of-schedule-flag-ignored', (all) => all.filter((one) => path(one) !== '/enableCronSchedule')),
  applies('patch-of-the-second-source-is-of-the-first', (all) =>
    all.map((one) => ({ ...one, path: path(one).replace('/dataSources/1/', '/dataSources/0/') })),
  ),
  applies('patch-of-an-inner-list-removes-nothing', (all) =>
    all.filter((one) => !is(one, 'remove', /^\/dataSources\/\d+\//)),
  ),
  applies('patch-move-to-the-end-loses-the-item', (all) =>
    all.map((one) => (is(one, 'move', /\/-$/) ? { op: 'remove', path: one['from'] } : one)),
  ),
  applies('patch-past-5-operations-ignored', (all) => all.slice(0, 5)),
  applies('patch-replaced-map-merged', (all, job) =>
    all.map((one) =>
      is(one, 'replace', /^\/metadata$/) && typeof one['value'] === 'object' && one['value'] !== null
        ? { ...one, value: { ...asObject(job['metadata']), ...one['value'] } }
        : one,
    ),
  ),
  defect('refused-patch-changes-map', MEANT, [PATCH, READ_JOB], ['json-patch', 'refused-changes-nothing']).by(
    at(where([PATCH])).handles(async (call, next) => {
      const reply = await next();
      const inMap = operations(call).filter((one) => is(one, 'replace', /^\/metadata\//));
      if (!succeeded(reply) && inMap.length > 0) await next(withBody(inMap));
      return reply;
    }),
  ),
  applies('patch-of-an-empty-key-is-of-the-map', (all) =>
    all.map((one) => ({
      ...one,
      path: path(one).replace(/\/$/, ''),
      ...('from' in one ? { from: str(one['from']).replace(/\/$/, '') } : {}),
    })),
  ),
  failsOn('patch-removing-the-whole-job-500', (one) => one['op'] === 'remove' && path(one) === ''),
  failsOn('patch-empty-key-500', (one) => path(one) === '/metadata/'),
  failsOn(
    'patch-move-onto-itself-500',
    (one) => one['op'] === 'move' && (one['from'] === one['path'] || path(one).startsWith(`${str(one['from'])}/`)),
  ),
  failsOn('patch-move-into-itself-500', (one) => one['op'] === 'move' && path(one).startsWith(`${str(one['from'])}/`)),
  failsOn('patch-index-overflow-500', (one) => /\/\d{11,}$/.test(path(one))),
  failsOn('patch-without-value-500', (one) => ['add', 'replace', 'test'].includes(str(one['op'])) && !('value' in one)),
  failsWhere('patch-add-at-the-length-500', (one, job) => {
    const { length } = asList(job['allowedSkills']);
    return length > 0 && one['op'] === 'add' && path(one) === `/allowedSkills/${length}`;
  }),
  // What is added to a copy is added to the original too.
  applies('patch-copies-share-their-list', (all) =>
    all.flatMap((one, at) => {
      const copy = all
        .slice(0, at)
        .find((before) => before['op'] === 'copy' && path(one).startsWith(`${path(before)}/`));
      return copy === undefined
        ? [one]
        : [one, { ...one, path: str(copy['from']) + path(one).slice(path(copy).length) }];
    }),
  ),
];
