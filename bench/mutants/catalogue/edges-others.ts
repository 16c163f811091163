import { answers, asList, asObject, asks, at, hit, number, problem, succeeded, withBody, withQuery } from '../kit.ts';
import type { Call, Make, Mutant } from '../types.ts';
import { entityOf, originOf, propertiesOf } from './clues.ts';
import { BACK, define, FIVE, SET } from './inputs-kit.ts';

const [CLUE, RAW, LIST, PATCH] = [
  'POST /clue',
  'POST /admin/entity/ProcessClue',
  'GET /accesscontrolpolicies',
  'PATCH /aijob/{id}',
];
const READ_JOB = 'GET /aijob/{id}';
const RFC = 'array of JSON Patch operations; 200, AiJobViewModel (section 4)';

const needs = (op: string): NonNullable<Mutant['needs']> =>
  op === CLUE || op === RAW ? ['irreversible'] : op === SET ? ['reversible', 'global'] : ['reversible'];

/** Answers an error where the request has the property, if it would have been served. */
function trips(name: string, op: string, test: (call: Call) => boolean, status = 500): Mutant {
  return define(
    `edge-${name}`,
    FIVE,
    op,
    answers({ op, when: (call) => call.role === 'full' && test(call) }, (reply) =>
      succeeded(reply) ? problem(status) : reply,
    ),
    needs(op),
  );
}

/** As `trips`, also where the service refuses. */
function always(name: string, op: string, test: (call: Call) => boolean): Mutant {
  return define(
    `edge-${name}`,
    FIVE,
    op,
    answers({ op, when: (call) => call.role === 'full' && test(call) }, () => problem(500)),
    needs(op),
  );
}

const clue = (call: Call): Record<string, unknown> => asObject(asObject(call.json)['clue']);
const data = (call: Call): Record<string, unknown> => asObject(asObject(clue(call)['clueDetails'])['data']);
const bag = (call: Call): readonly string[] =>
  Object.entries(asObject(entityOf(call)['properties']))
    .filter(([key]) => key !== 'attribute-type')
    .map(([, value]) => String(value));
const codes = (call: Call): readonly string[] => asList(entityOf(call)['codes']).map(String);
const idPart = (call: Call): string => originOf(call).split(':').slice(1).join(':');
const version = (call: Call): string => String(clue(call)['attribute-appVersion']);

const CLUES: readonly Mutant[] = [
  trips('clue-value-exactly-255-500', CLUE, (call) => bag(call).some((value) => value.length === 255)),
  trips('clue-value-exactly-4096-400', CLUE, (call) => bag(call).some((value) => value.length === 4096), 400),
  trips('clue-value-line-end-500', CLUE, (call) => bag(call).some((value) => /[\r\n]/.test(value))),
  trips('clue-value-only-space-400', CLUE, (call) => bag(call).some((value) => /^\s+$/.test(value)), 400),
  trips('clue-value-looks-like-json-500', CLUE, (call) => bag(call).some((value) => /^[[{]/.test(value))),
  trips('clue-value-right-to-left-500', CLUE, (call) => bag(call).some((value) => /[\u0590-\u08ff]/.test(value))),
  trips('clue-value-looks-like-a-date-500', CLUE, (call) => bag(call).some((value) => /^\d{4}-\d\d-\d\d/.test(value))),
  trips('clue-key-underscore-500', CLUE, (call) => propertiesOf(call).some((key) => key.includes('_'))),
  trips('clue-key-over-64-500', CLUE, (call) => propertiesOf(call).some((key) => key.length > 64)),
  trips('clue-key-four-parts-400', CLUE, (call) => propertiesOf(call).some((key) => key.split('.').length > 3), 400),
  trips('clue-over-2000-properties-500', CLUE, (call) => propertiesOf(call).length > 2000),
  trips('clue-exactly-eleven-properties-500', CLUE, (call) => propertiesOf(call).length === 11),
  trips('clue-exactly-three-codes-500', CLUE, (call) => codes(call).length === 3),
  trips('clue-code-of-another-type-500', CLUE, (call) =>
    codes(call).some((code) => code.split('#')[0] !== originOf(call).split('#')[0]),
  ),
  trips('clue-origin-id-colon-500', CLUE, (call) => idPart(call).includes(':')),
  trips('clue-origin-id-hash-500', CLUE, (call) => idPart(call).includes('#')),
  trips('clue-origin-id-slash-500', CLUE, (call) => idPart(call).includes('/')),
  trips('clue-origin-id-space-400', CLUE, (call) => /\S \S/.test(idPart(call)), 400),
  trips('clue-origin-id-not-ascii-500', CLUE, (call) => /[^\0-\u007f]/.test(idPart(call))),
  trips('clue-origin-lower-case-type-500', CLUE, (call) => /^\/[a-z]/.test(originOf(call))),
  trips('clue-origin-source-upper-case-400', CLUE, (call) => /#[^:]*[A-Z]/.test(originOf(call)), 400),
  trips('clue-version-big-part-500', CLUE, (call) =>
    version(call)
      .split('.')
      .some((part) => Number(part) > 65_535),
  ),
  trips('clue-version-leading-zero-500', CLUE, (call) => /(^|\.)0\d/.test(version(call))),
  trips(
    'clue-versions-differ-500',
    CLUE,
    (call) =>
      data(call)['attribute-appVersion'] !== undefined &&
      data(call)['attribute-appVersion'] !== clue(call)['attribute-appVersion'],
  ),
  trips(
    'clue-origins-differ-500',
    CLUE,
    (call) =>
      entityOf(call)['attribute-origin'] !== undefined &&
      entityOf(call)['attribute-origin'] !== clue(call)['attribute-origin'],
  ),
  trips(
    'clue-entity-type-differs-500',
    CLUE,
    (call) =>
      entityOf(call)['entityType'] !== undefined && originOf(call).split('#')[0] !== entityOf(call)['entityType'],
  ),
  trips('clue-input-source-empty-500', CLUE, (call) => data(call)['attribute-inputSource'] === ''),
  trips('clue-nil-organization-500', CLUE, (call) => /^[0-]+$/.test(String(clue(call)['attribute-organization']))),
  trips('clue-codes-without-bag-500', CLUE, (call) => codes(call).length > 0 && propertiesOf(call).length === 0),
  trips('clue-key-in-bag-and-entity-500', CLUE, (call) =>
    propertiesOf(call).some((key) =>
      [`prop-${key}`, `property-${key}`, `prop${key}`].some((each) => Object.hasOwn(entityOf(call), each)),
    ),
  ),
  trips('clue-over-64-kilobytes-500', CLUE, (call) => call.body.length > 65_536),
  define(
    'edge-clue-every-40th-500',
    FIVE,
    CLUE,
    () => {
      let count = 0;
      return (call, next) => (hit(call, CLUE) && call.role === 'full' && ++count % 40 === 0 ? problem(500) : next());
    },
    ['irreversible'],
  ),
];

const values = (value: unknown): readonly unknown[] =>
  typeof value === 'object' && value !== null ? [value, ...Object.values(value).flatMap(values)] : [value];
const keys = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null
    ? [...(Array.isArray(value) ? [] : Object.keys(value)), ...Object.values(value).flatMap(keys)]
    : [];
const depth = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0;
const every = (call: Call): readonly unknown[] => values(call.json);

const RAWS: readonly Mutant[] = [
  always('raw-depth-over-16-500', RAW, (call) => depth(call.json) > 16),
  always('raw-number-past-53-bits-500', RAW, (call) =>
    every(call).some(
      (value) =>
        typeof value === 'number' && Number.isInteger(value) && Math.abs(value) > 2 ** 53 && Math.abs(value) < 2 ** 63,
    ),
  ),
  always('raw-exponent-500', RAW, (call) =>
    /[0-9]e[-+]?[0-9]/i.test(call.body.toString().replaceAll(/"(?:[^"\\]|\\.)*"/g, '')),
  ),
  always('raw-negative-500', RAW, (call) => every(call).some((value) => typeof value === 'number' && value < 0)),
  always('raw-zero-500', RAW, (call) => every(call).includes(0)),
  always('raw-int32-overflow-500', RAW, (call) =>
    every(call).some((value) => typeof value === 'number' && value > 2_147_483_647),
  ),
  always('raw-null-in-list-500', RAW, (call) =>
    every(call).some((value) => Array.isArray(value) && value.includes(null)),
  ),
  always('raw-mixed-list-500', RAW, (call) =>
    every(call).some((value) => Array.isArray(value) && new Set(value.map((item) => typeof item)).size > 1),
  ),
  always('raw-list-of-lists-500', RAW, (call) =>
    every(call).some((value) => Array.isArray(value) && value.some(Array.isArray)),
  ),
  always('raw-list-over-100-500', RAW, (call) =>
    every(call).some((value) => Array.isArray(value) && value.length > 100),
  ),
  always('raw-nested-empty-object-500', RAW, (call) =>
    every(call)
      .slice(1)
      .some(
        (value) =>
          typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0,
      ),
  ),
  always('raw-key-space-500', RAW, (call) => keys(call.json).some((key) => key.includes(' '))),
  always('raw-key-not-ascii-500', RAW, (call) => keys(call.json).some((key) => /[^\0-\u007f]/.test(key))),
  always('raw-key-over-128-500', RAW, (call) => keys(call.json).some((key) => key.length > 128)),
  always(
    'raw-keys-differ-by-case-500',
    RAW,
    (call) =>
      new Set(Object.keys(asObject(call.json)).map((key) => key.toLowerCase())).size <
      Object.keys(asObject(call.json)).length,
  ),
  always('raw-key-tostring-500', RAW, (call) =>
    keys(call.json).some((key) => /^(toString|hasOwnProperty|constructor)$/.test(key)),
  ),
  always('raw-text-null-character-500', RAW, (call) =>
    every(call).some((value) => typeof value === 'string' && value.includes('\0')),
  ),
  always('raw-text-date-500', RAW, (call) =>
    every(call).some((value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)),
  ),
  always('raw-over-500-members-500', RAW, (call) => Object.keys(asObject(call.json)).length > 500),
  always('raw-member-in-member-same-name-500', RAW, (call) =>
    Object.entries(asObject(call.json)).some(([key, value]) => Object.hasOwn(asObject(value), key)),
  ),
];

const is = (call: Call, name: string, value: string): boolean => call.search.get(name)?.toLowerCase() === value;

const QUERIES: readonly Mutant[] = [
  trips('list-take-one-on-page-two-500', LIST, (call) => is(call, 'take', '1') && number(call, 'page', 0) > 0),
  trips('list-take-exactly-50-500', LIST, (call) => is(call, 'take', '50')),
  trips(
    'list-inactive-descending-500',
    LIST,
    (call) => is(call, 'filterActive', 'false') && is(call, 'orderAsc', 'false'),
  ),
  trips('list-search-and-order-500', LIST, (call) => call.search.has('searchName') && call.search.has('orderBy')),
  trips(
    'list-creator-and-active-500',
    LIST,
    (call) => call.search.has('filterCreator') && call.search.has('filterActive'),
  ),
  trips('list-search-trailing-space-500', LIST, (call) => /\S\s+$/.test(call.search.get('searchName') ?? '')),
  trips('list-search-plus-500', LIST, (call) => (call.search.get('searchName') ?? '').includes('+')),
  trips('list-search-exactly-64-500', LIST, (call) => (call.search.get('searchName') ?? '').length === 64),
  trips('list-search-wildcard-only-500', LIST, (call) => /^[*?%_]+$/.test(call.search.get('searchName') ?? '')),
  trips('list-creator-over-255-500', LIST, (call) => (call.search.get('filterCreator') ?? '').length > 255),
  trips('list-order-by-dotted-500', LIST, (call) => (call.search.get('orderBy') ?? '').includes('.')),
  define(
    'edge-list-page-before-take-only',
    'page int32 default 0; take int32 default 20 (section 4)',
    LIST,
    asks(
      {
        op: LIST,
        when: (call) =>
          call.search.has('page') &&
          call.search.has('take') &&
          call.query.indexOf('take=') < call.query.indexOf('page='),
      },
      (call) => withQuery(call, { page: 0 }),
    ),
    ['reversible'],
  ),
  define(
    'edge-list-search-after-other-parameters-ignored',
    'searchName string (section 4)',
    LIST,
    asks({ op: LIST, when: (call) => call.search.has('searchName') && !call.query.startsWith('searchName') }, (call) =>
      withQuery(call, { searchName: undefined }),
    ),
    ['reversible'],
  ),
  trips(
    'runs-last-size-descending-500',
    'GET /aijob/{id}/runs',
    (call) => is(call, 'sortDirection', '1') && call.search.has('runType'),
  ),
  trips('runs-size-over-50-500', 'GET /aijob/{id}/runs', (call) => number(call, 'pageSize', 10) > 50),
  trips(
    'results-state-and-search-500',
    'GET /aijob/{id}/results/{type}',
    (call) => call.search.has('state') && call.search.has('searchName'),
  ),
  trips('results-search-comma-500', 'GET /aijob/{id}/results/{type}', (call) =>
    (call.search.get('searchName') ?? '').includes(','),
  ),
  always(
    'results-long-type-500',
    'GET /aijob/{id}/results/{type}',
    (call) => (call.route?.params['type'] ?? '').length > 128,
  ),
  trips(
    'chats-flag-on-page-two-500',
    'GET /aijob/{jobId}/runs/{runId}/chats',
    (call) => is(call, 'includeOnlyChatsWithNoResults', 'true') && number(call, 'pageNumber', 1) > 1,
  ),
  always(
    'chatstream-offset-past-int32-500',
    'GET /aijob/{id}/chatstream',
    (call) => Number(call.search.get('offset') ?? 0) > 2_147_483_647,
  ),
  always(
    'chatstream-negative-offset-500',
    'GET /aijob/{id}/chatstream',
    (call) => Number(call.search.get('offset') ?? 0) < 0,
  ),
  trips('agents-metadata-filter-empty-value-500', 'GET /aiagent', (call) =>
    [...call.search.entries()].some(([key, value]) => /^metadatafilter\[/i.test(key) && value === ''),
  ),
  trips('agents-metadata-filter-ampersand-500', 'GET /aiagent', (call) =>
    [...call.search.entries()].some(([key, value]) => /^metadatafilter\[/i.test(key) && value.includes('&')),
  ),
  trips(
    'audit-id-twice-500',
    'GET /auditLog/getByObjectTypeIds',
    (call) => new Set(call.search.getAll('objectIds')).size < call.search.getAll('objectIds').length,
  ),
];

type Op = Record<string, unknown>;
const steps = (call: Call): readonly Op[] => asList(call.json).map(asObject);
const patchRow = (name: string, make: Make, breaks = RFC): Mutant =>
  define(`edge-${name}`, breaks, [PATCH, READ_JOB], make, ['reversible']);
const edits = (change: (ops: readonly Op[]) => readonly Op[]): Make =>
  asks({ op: PATCH, when: (call) => Array.isArray(call.json) && call.role === 'full' }, (call) => {
    const after = change(steps(call));
    return JSON.stringify(after) === JSON.stringify(steps(call)) ? undefined : withBody(after);
  });
const each = (change: (op: Op) => readonly Op[]): Make => edits((ops) => ops.flatMap(change));
const pathOf = (op: Op): string => String(op['path']);

/** Leaves out the test operations that a laxer comparison lets pass. */
const lax = (alike: (wanted: unknown, found: unknown) => boolean): Make =>
  at({ op: PATCH, when: (call) => Array.isArray(call.json) && call.role === 'full' }, async (call, next, context) => {
    const reply = await next();
    if (succeeded(reply) || !steps(call).some((op) => op['op'] === 'test')) return reply;
    const job = asObject(JSON.parse((await context.ask('GET', call.path)).body.toString() || '{}') as unknown);
    let state: Record<string, unknown> = { ...job };
    const kept = steps(call).filter((op) => {
      const member = pathOf(op).slice(1);
      if (op['op'] === 'replace' || op['op'] === 'add') state = { ...state, [member]: op['value'] };
      return op['op'] !== 'test' || !alike(op['value'], state[member]);
    });
    return kept.length < steps(call).length ? next(withBody(kept)) : reply;
  });

const PATCHES: readonly Mutant[] = [
  patchRow(
    'patch-test-compares-loosely',
    lax((wanted, found) => typeof wanted !== typeof found && String(wanted) === String(found)),
  ),
  patchRow(
    'patch-test-ignores-case',
    lax(
      (wanted, found) =>
        typeof wanted === 'string' && typeof found === 'string' && wanted.toLowerCase() === found.toLowerCase(),
    ),
  ),
  patchRow(
    'patch-test-ignores-order-of-items',
    lax(
      (wanted, found) =>
        Array.isArray(wanted) &&
        Array.isArray(found) &&
        JSON.stringify([...asList(wanted)].map(String).sort()) ===
          JSON.stringify([...asList(found)].map(String).sort()),
    ),
  ),
  patchRow(
    'patch-negative-index-takes-last',
    at(
      {
        op: PATCH,
        when: (call) =>
          call.role === 'full' && steps(call).some((op) => op['op'] === 'remove' && /\/-\d+$/.test(pathOf(op))),
      },
      (call, next) => next(withBody(steps(call).map((op) => ({ ...op, path: pathOf(op).replace(/\/-\d+$/, '/0') })))),
    ),
  ),
  patchRow(
    'patch-remove-past-the-end-accepted',
    edits((ops) => ops.filter((op) => !(op['op'] === 'remove' && /\/\d{2,}$/.test(pathOf(op))))),
  ),
  patchRow(
    'patch-move-onto-itself-removes',
    each((op) => (op['op'] === 'move' && op['from'] === op['path'] ? [{ op: 'remove', path: op['path'] }] : [op])),
  ),
  patchRow(
    'patch-copy-onto-existing-500',
    answers(
      {
        op: PATCH,
        when: (call) =>
          call.role === 'full' &&
          steps(call).some((op) => op['op'] === 'copy' && /^\/(prompt|description|name)$/.test(pathOf(op))),
      },
      () => problem(500),
    ),
    FIVE,
  ),
  patchRow(
    'patch-over-10-operations-500',
    answers({ op: PATCH, when: (call) => call.role === 'full' && steps(call).length > 10 }, () => problem(500)),
    FIVE,
  ),
  patchRow(
    'patch-upper-case-op-500',
    answers(
      {
        op: PATCH,
        when: (call) => call.role === 'full' && steps(call).some((op) => /^[A-Z]+$/.test(String(op['op']))),
      },
      () => problem(500),
    ),
    FIVE,
  ),
  patchRow(
    'patch-unknown-member-500',
    answers(
      {
        op: PATCH,
        when: (call) =>
          call.role === 'full' &&
          steps(call).some((op) => Object.keys(op).some((key) => !['op', 'path', 'from', 'value'].includes(key))),
      },
      () => problem(500),
    ),
    FIVE,
  ),
  patchRow(
    'patch-empty-key-500',
    answers(
      { op: PATCH, when: (call) => call.role === 'full' && steps(call).some((op) => pathOf(op) === '/metadata/') },
      () => problem(500),
    ),
    FIVE,
  ),
  patchRow(
    'patch-long-value-cut',
    each((op) => [typeof op['value'] === 'string' ? { ...op, value: op['value'].slice(0, 1000) } : op]),
    BACK,
  ),
  patchRow(
    'patch-second-operation-on-metadata-lost',
    edits((ops) =>
      ops.filter(
        (op, index) =>
          !pathOf(op).startsWith('/metadata/') ||
          op['op'] === 'test' ||
          ops.findIndex((other) => pathOf(other).startsWith('/metadata/') && other['op'] !== 'test') === index,
      ),
    ),
  ),
  patchRow(
    'patch-v1-remove-ignored',
    asks(
      {
        op: PATCH,
        form: '/api/v1',
        when: (call) =>
          Array.isArray(call.json) && call.role === 'full' && steps(call).some((op) => op['op'] === 'remove'),
      },
      (call) => withBody(steps(call).filter((op) => op['op'] !== 'remove')),
    ),
  ),
  patchRow(
    'patch-metadata-key-with-space-lost',
    each((op) => (/^\/metadata\/.* /.test(pathOf(op)) && op['op'] === 'add' ? [] : [op])),
  ),
  patchRow(
    'patch-replace-by-empty-text-ignored',
    each((op) => (op['value'] === '' ? [] : [op])),
  ),
];

const type = (call: Call): string => call.headers['content-type'] ?? '';
const entries = (call: Call): readonly Op[] => steps(call);

const WIRE: readonly Mutant[] = [
  trips('agent-charset-500', 'POST /aiagent', (call) => /charset/i.test(type(call))),
  trips('clue-charset-415', CLUE, (call) => /charset/i.test(type(call)), 415),
  trips('job-indented-body-500', 'PUT /aijob/{id}', (call) => /^\s*\{\s*\n/.test(call.body.toString())),
  trips('preview-text-json-400', 'POST /aijob/{id}/preview', (call) => type(call).startsWith('text/json'), 400),
  trips(
    'policy-v1-astral-500',
    'PUT /accesscontrolpolicies/{id}',
    (call) => call.route?.form === '/api/v1' && /[\u{10000}-\u{10ffff}]/u.test(call.body.toString()),
  ),
  trips(
    'search-v1-only-ignored-500',
    LIST,
    (call) => call.route?.form === '/api/v1' && /[A-Z]/.test(call.search.get('searchName') ?? ''),
  ),
  trips('order-gaps-500', SET, (call) => entries(call).some((entry, index) => Number(entry['order']) > index + 1)),
  trips('order-equal-positions-500', SET, (call) => {
    const orders = entries(call).map((entry) => entry['order']);
    return new Set(orders).size < orders.length;
  }),
  trips(
    'order-without-names-500',
    SET,
    (call) => entries(call).length > 0 && entries(call).every((entry) => !('name' in entry)),
  ),
  always('order-unknown-policy-500', SET, (call) => entries(call).some((entry) => entry['name'] === 'unknown')),
  always(
    'approvals-empty-results-500',
    'POST /aijob/{id}/results/{type}/approvals',
    (call) => Array.isArray(asObject(call.json)['results']) && asList(asObject(call.json)['results']).length === 0,
  ),
  always(
    'approvals-over-10-results-500',
    'POST /aijob/{id}/results/{type}/approvals',
    (call) => asList(asObject(call.json)['results']).length > 10,
  ),
  trips('preview-null-prompt-500', 'POST /aijob/{id}/preview', (call) => asObject(call.json)['prompt'] === null),
  trips(
    'dry-run-over-1000-prompt-500',
    'POST /aijob/{id}/dry-run',
    (call) => JSON.stringify(asObject(call.json)['prompt'] ?? '').length > 1002,
  ),
];

export const EDGES_OTHERS: readonly Mutant[] = [...CLUES, ...RAWS, ...QUERIES, ...PATCHES, ...WIRE];
