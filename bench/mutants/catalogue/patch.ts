import { area } from '../define.ts';
import { answers, asList, asObject, asks, at, json, parsed, problem, succeeded, withBody } from '../kit.ts';
import type { Call, Make, Mutant } from '../types.ts';

const define = area('patch');
const PATCH = 'PATCH /aijob/{id}';
const READ = 'GET /aijob/{id}';
const OPS = 'array of JSON Patch operations; 200, AiJobViewModel (section 4)';
const BODIES =
  'Request bodies are accepted as application/json, application/json-patch+json, text/json or application/*+json (section 4)';
const row = (name: string, make: Make, breaks = OPS): Mutant => define(name, breaks, [PATCH, READ], make);

type Op = Record<string, unknown>;

/** Changes the operations before they reach the service. */
function edits(change: (op: Op) => readonly Op[]): Make {
  return asks({ op: PATCH, when: (call) => Array.isArray(call.json) }, (call) => {
    const before = asList(call.json).map(asObject);
    const after = before.flatMap(change);
    return JSON.stringify(before) === JSON.stringify(after) ? undefined : withBody(after);
  });
}

const only = (kind: string, change: (op: Op) => readonly Op[]): Make =>
  edits((op) => (op['op'] === kind ? change(op) : [op]));
const pathOf = (op: Op, name = 'path'): string => (typeof op[name] === 'string' ? op[name] : '');
const sends =
  (type: RegExp) =>
  (call: Call): boolean =>
    call.role === 'full' && type.test(call.headers['content-type'] ?? '');

/** Applies the operations one by one, keeping those before the first that fails. */
const half: Make = at(
  { op: PATCH, when: (call) => Array.isArray(call.json) && call.role === 'full' },
  async (call, next) => {
    const reply = await next();
    if (succeeded(reply) || asList(call.json).length < 2) return reply;
    for (const op of asList(call.json)) if (!succeeded(await next(withBody([op])))) break;
    return reply;
  },
);

const OPERATIONS: readonly Mutant[] = [
  row(
    'add-ignored',
    only('add', () => []),
  ),
  row(
    'remove-ignored',
    only('remove', () => []),
  ),
  row(
    'replace-ignored',
    only('replace', () => []),
  ),
  row(
    'move-ignored',
    only('move', () => []),
  ),
  row(
    'copy-ignored',
    only('copy', () => []),
  ),
  row(
    'test-ignored',
    only('test', () => []),
  ),
  row(
    'move-copies',
    only('move', (op) => [{ ...op, op: 'copy' }]),
  ),
  row(
    'copy-moves',
    only('copy', (op) => [{ ...op, op: 'move' }]),
  ),
  row(
    'add-at-index-replaces',
    only('add', (op) => [/\/\d+$/.test(pathOf(op)) ? { ...op, op: 'replace' } : op]),
  ),
  row(
    'append-prepends',
    only('add', (op) => [pathOf(op).endsWith('/-') ? { ...op, path: pathOf(op).replace(/-$/, '0') } : op]),
  ),
  row(
    'append-ignored',
    only('add', (op) => (pathOf(op).endsWith('/-') ? [] : [op])),
  ),
  row(
    'remove-at-index-takes-first',
    only('remove', (op) => [{ ...op, path: pathOf(op).replace(/\/\d+$/, '/0') }]),
  ),
  row(
    'remove-missing-accepted',
    at(
      {
        op: PATCH,
        when: (call) => call.role === 'full' && asList(call.json).some((op) => asObject(op)['op'] === 'remove'),
      },
      async (call, next) => {
        const reply = await next();
        return succeeded(reply)
          ? reply
          : next(withBody(asList(call.json).filter((op) => asObject(op)['op'] !== 'remove')));
      },
    ),
  ),
  row(
    'replace-writes-upper-case',
    only('replace', (op) => [
      { ...op, value: typeof op['value'] === 'string' ? op['value'].toUpperCase() : op['value'] },
    ]),
  ),
  row(
    'replace-null-ignored',
    only('replace', (op) => (op['value'] === null ? [] : [op])),
  ),
  row(
    'tilde-one-not-unescaped',
    edits((op) => [{ ...op, path: pathOf(op).replaceAll('~1', '~01') }]),
  ),
  row(
    'tilde-zero-not-unescaped',
    edits((op) => [{ ...op, path: pathOf(op).replaceAll('~0', '~00') }]),
  ),
  row(
    'move-from-escaped-lost',
    only('move', (op) => (pathOf(op, 'from').includes('~') ? [] : [op])),
  ),
];

const WHOLES: readonly Mutant[] = [
  row('half-applied-when-refused', half),
  row(
    'first-operation-only',
    asks({ op: PATCH, when: (call) => asList(call.json).length > 1 }, (call) =>
      withBody(asList(call.json).slice(0, 1)),
    ),
  ),
  row(
    'last-operation-lost',
    asks({ op: PATCH, when: (call) => asList(call.json).length > 1 }, (call) =>
      withBody(asList(call.json).slice(0, -1)),
    ),
  ),
  row(
    'operations-reversed',
    asks({ op: PATCH, when: (call) => asList(call.json).length > 1 }, (call) =>
      withBody(asList(call.json).toReversed()),
    ),
  ),
  row(
    'failed-test-is-200',
    answers(
      {
        op: PATCH,
        when: (call) => call.role === 'full' && asList(call.json).some((op) => asObject(op)['op'] === 'test'),
      },
      (reply, call) =>
        reply.status === 400 || reply.status === 409
          ? json({ id: call.route?.params['id'], name: 'unchanged' })
          : reply,
    ),
  ),
  row(
    'failed-test-is-500',
    answers({ op: PATCH, when: (call) => asList(call.json).some((op) => asObject(op)['op'] === 'test') }, (reply) =>
      reply.status === 400 || reply.status === 409 ? problem(500) : reply,
    ),
  ),
  row(
    'unknown-op-500',
    answers(
      {
        op: PATCH,
        when: (call) =>
          call.role === 'full' &&
          asList(call.json).some(
            (op) => !['add', 'remove', 'replace', 'move', 'copy', 'test'].includes(String(asObject(op)['op'])),
          ),
      },
      () => problem(500),
    ),
  ),
  row(
    'missing-path-500',
    answers(
      { op: PATCH, when: (call) => call.role === 'full' && asList(call.json).some((op) => !('path' in asObject(op))) },
      () => problem(500),
    ),
  ),
  row(
    'path-to-nowhere-500',
    answers({ op: PATCH, when: (call) => call.role === 'full' && Array.isArray(call.json) }, (reply) =>
      reply.status === 400 || reply.status === 409 ? problem(500) : reply,
    ),
  ),
  row(
    'object-body-500',
    answers(
      { op: PATCH, when: (call) => call.role === 'full' && call.json !== undefined && !Array.isArray(call.json) },
      () => problem(500),
    ),
  ),
  row(
    'empty-array-500',
    answers(
      { op: PATCH, when: (call) => call.role === 'full' && Array.isArray(call.json) && call.json.length === 0 },
      () => problem(500),
    ),
  ),
  row(
    'json-type-refused',
    answers({ op: PATCH, when: sends(/^application\/json\b/) }, () => problem(415)),
    BODIES,
  ),
  row(
    'json-patch-type-refused',
    answers({ op: PATCH, when: sends(/^application\/json-patch\+json/) }, () => problem(415)),
    BODIES,
  ),
  row(
    'json-type-changes-nothing',
    at({ op: PATCH, when: sends(/^application\/json\b/) }, (call, next) =>
      next(withBody([{ op: 'test', path: '/id', value: call.route?.params['id'] }])),
    ),
    BODIES,
  ),
  row(
    'not-stored',
    at({ op: PATCH, when: (call) => call.role === 'full' }, async (call, next, context) => {
      const before = parsed(await context.ask('GET', call.path));
      const reply = await next();
      if (succeeded(reply)) await context.ask('PUT', call.path, before);
      return reply;
    }),
  ),
  row(
    'answers-the-state-before',
    at(PATCH, async (call, next, context) => {
      const before = await context.ask('GET', call.path);
      const reply = await next();
      return succeeded(reply) ? { ...reply, body: before.body } : reply;
    }),
  ),
  row(
    'resets-description',
    asks(
      {
        op: PATCH,
        when: (call) =>
          Array.isArray(call.json) && call.json.length > 0 && !JSON.stringify(call.json).includes('description'),
      },
      (call) => withBody([...asList(call.json), { op: 'add', path: '/description', value: null }]),
    ),
  ),
];

export const PATCHES: readonly Mutant[] = [...OPERATIONS, ...WHOLES];
