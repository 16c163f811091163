import { isDeepStrictEqual } from 'node:util';
import { answers, asList, asObject, asks, at, parsed, problem, succeeded, withBody } from '../kit.ts';
import type { JsonMap } from '../kit.ts';
import type { Call, Context, Mutant } from '../types.ts';
import { define, FIVE, READ_JOB, REFUSED, where } from './fresh-kit.ts';
import { itself } from './parts.ts';

const PATCH = 'PATCH /aijob/{id}';
const MEANT = 'PATCH takes an array of JSON Patch operations (section 4)';
const operations = (call: Call): readonly JsonMap[] => asList(call.json).map(asObject);
const path = (operation: JsonMap): string => String(operation['path']);
const is = (operation: JsonMap, op: string, pattern: RegExp): boolean =>
  operation['op'] === op && pattern.test(path(operation));
const current = async (call: Call, context: Context): Promise<JsonMap> =>
  asObject(parsed(await context.ask('GET', itself(call))));
const listed = (job: JsonMap): readonly unknown[] => asList(job['allowedSkills']);

/** Changes the operations before they are applied. */
function applies(
  mutant: string,
  change: (all: readonly JsonMap[], call: Call) => readonly JsonMap[],
  form?: string,
): Mutant {
  return define(
    mutant,
    MEANT,
    [PATCH, ...READ_JOB],
    asks(
      where([PATCH], () => true, form),
      (call) => {
        const after = change(operations(call), call);
        return !Array.isArray(call.json) || isDeepStrictEqual(after, call.json) ? undefined : withBody(after);
      },
    ),
    ['reversible'],
  );
}

/** Answers 500 to a patch that worked, or that was to be refused. */
function fails(mutant: string, some: (operation: JsonMap) => boolean): Mutant {
  return define(
    mutant,
    `${FIVE}; ${REFUSED}`,
    PATCH,
    answers(
      where([PATCH], (_, call) => operations(call).some(some)),
      (reply) => (succeeded(reply) || [400, 409].includes(reply.status) ? problem(500) : reply),
    ),
    ['reversible'],
  );
}

/** Answers otherwise where the operations and the job as it is have something about them. */
function refusesWhere(mutant: string, status: number, test: (operation: JsonMap, job: JsonMap) => boolean): Mutant {
  return define(
    mutant,
    MEANT,
    PATCH,
    at(
      where([PATCH], (_, call) => operations(call).length === 1),
      async (call, next, context) => {
        const job = await current(call, context);
        if (!operations(call).some((operation) => test(operation, job))) return next();
        const reply = await next();
        return succeeded(reply) ? problem(status) : reply;
      },
    ),
    ['reversible'],
  );
}

/** The same members in another order: equal as JSON, not as text. */
const sameInOtherOrder = (a: unknown, b: unknown): boolean =>
  isDeepStrictEqual(a, b) && JSON.stringify(a) !== JSON.stringify(b);

const POINTERS: readonly Mutant[] = [
  applies('patch-tilde-decoded-twice', (all) =>
    all.map((operation) =>
      path(operation).includes('~01') ? { ...operation, path: path(operation).replaceAll('~01', '~1') } : operation,
    ),
  ),
  fails('patch-empty-key-500', (operation) => /^\/metadata\/$/.test(path(operation))),
  refusesWhere(
    'patch-append-to-empty-list-500',
    500,
    (operation, job) => is(operation, 'add', /^\/allowedSkills\/(?:-|0)$/) && listed(job).length === 0,
  ),
];

const OPERATIONS: readonly Mutant[] = [
  refusesWhere(
    'patch-test-compares-text',
    409,
    (operation, job) =>
      is(operation, 'test', /^\/\w+$/) && sameInOtherOrder(job[path(operation).slice(1)], operation['value']),
  ),
  applies('patch-null-leaves-as-it-is', (all) =>
    all.filter(
      (operation) =>
        !(
          operation['op'] === 'replace' &&
          operation['value'] === null &&
          /^\/(?:description|cronSchedule|prompt)$/.test(path(operation))
        ),
    ),
  ),
  applies('patch-copy-into-list-lost', (all) =>
    all.filter((operation) => !is(operation, 'copy', /^\/allowedSkills\//)),
  ),
  fails(
    'patch-move-onto-itself-500',
    (operation) =>
      operation['op'] === 'move' &&
      (operation['from'] === operation['path'] || path(operation).startsWith(`${String(operation['from'])}/`)),
  ),
  applies('patch-removals-come-first', (all) => [
    ...all.filter((operation) => operation['op'] === 'remove'),
    ...all.filter((operation) => operation['op'] !== 'remove'),
  ]),
  applies('patch-beyond-5-operations-ignored', (all) => all.slice(0, 5)),
  applies('patch-unversioned-skips-tests', (all) => all.filter((operation) => operation['op'] !== 'test'), '/api'),
];

const OTHERS: readonly Mutant[] = [
  define(
    'patch-replaced-map-merged',
    MEANT,
    [PATCH, ...READ_JOB],
    at(
      where([PATCH], (_, call) => operations(call).some((operation) => is(operation, 'replace', /^\/metadata$/))),
      async (call, next, context) => {
        const job = await current(call, context);
        return next(
          withBody(
            operations(call).map((operation) =>
              is(operation, 'replace', /^\/metadata$/) &&
              typeof operation['value'] === 'object' &&
              operation['value'] !== null
                ? { ...operation, value: { ...asObject(job['metadata']), ...operation['value'] } }
                : operation,
            ),
          ),
        );
      },
    ),
    ['reversible'],
  ),
  define(
    'patch-failed-removal-leaves-the-rest',
    'a request that is refused changes nothing (section 7)',
    [PATCH, ...READ_JOB],
    at(
      where([PATCH], () => true),
      async (call, next, context) => {
        const reply = await next();
        const all = operations(call);
        if (reply.status === 409 && all.length > 1 && all.at(-1)?.['op'] === 'remove')
          await context.ask('PATCH', itself(call), all.slice(0, -1));
        return reply;
      },
    ),
    ['reversible'],
  ),
  define(
    'patch-body-with-non-ascii-latin1',
    MEANT,
    [PATCH, ...READ_JOB],
    asks(
      where(
        [PATCH],
        (_, call) =>
          (call.headers['content-type'] ?? '').startsWith('application/json-patch') &&
          call.body.some((byte) => byte > 127),
      ),
      (call) => ({ body: Buffer.from(call.body.toString('latin1')) }),
    ),
    ['reversible'],
  ),
];

export const FRESH_PATCHES = [...POINTERS, ...OPERATIONS, ...OTHERS] as const satisfies readonly Mutant[];
