import { createHash } from 'node:crypto';
import { area } from '../define.ts';
import { answers, asList, asObject, number, problem, succeeded } from '../kit.ts';
import type { Call, Make, Mutant } from '../types.ts';
import { entityOf, originOf, propertiesOf } from './clues.ts';

const define = area('inputs');
const [CLUE, RAW, LIST] = ['POST /clue', 'POST /admin/entity/ProcessClue', 'GET /accesscontrolpolicies'];
const FIVE = 'valid requests succeed; 500 is an unexpected server error (section 7)';

function trips(name: string, op: string, test: (call: Call) => boolean, status = 500): Mutant {
  const make: Make = answers({ op, when: (call) => call.role === 'full' && test(call) }, (reply) =>
    succeeded(reply) ? problem(status) : reply,
  );
  return define(name, FIVE, op, make, op === LIST || op.startsWith('GET') ? ['reversible'] : ['irreversible']);
}

/** As `trips`, also where the service refuses. */
function always(name: string, op: string, test: (call: Call) => boolean): Mutant {
  return define(
    name,
    FIVE,
    op,
    answers({ op, when: (call) => call.role === 'full' && test(call) }, () => problem(500)),
    op.startsWith('GET') ? ['reversible'] : ['irreversible'],
  );
}

const bag = (call: Call): readonly (readonly [string, unknown])[] =>
  Object.entries(asObject(entityOf(call)['properties'])).filter(([key]) => key !== 'attribute-type');
const clue = (call: Call): Record<string, unknown> => asObject(asObject(call.json)['clue']);
const codes = (call: Call): readonly unknown[] => asList(entityOf(call)['codes']);
const directly = (call: Call): readonly string[] =>
  Object.keys(entityOf(call)).filter((key) => key.startsWith('prop') && key !== 'properties');

const CLUES: readonly Mutant[] = [
  trips('clue-over-50-properties-500', CLUE, (call) => propertiesOf(call).length > 50),
  trips('clue-over-500-properties-500', CLUE, (call) => propertiesOf(call).length > 500),
  trips('clue-exactly-16-properties-500', CLUE, (call) => propertiesOf(call).length === 16),
  trips('clue-value-empty-500', CLUE, (call) => bag(call).some(([, value]) => value === '')),
  trips('clue-value-over-1000-500', CLUE, (call) => bag(call).some(([, value]) => String(value).length > 1000)),
  trips('clue-value-markup-500', CLUE, (call) => bag(call).some(([, value]) => /[<>&]/.test(String(value)))),
  trips('clue-value-astral-500', CLUE, (call) =>
    bag(call).some(([, value]) => /[\u{10000}-\u{10ffff}]/u.test(String(value))),
  ),
  trips('clue-value-quote-500', CLUE, (call) => bag(call).some(([, value]) => String(value).includes("'"))),
  trips('clue-value-leading-zero-500', CLUE, (call) => bag(call).some(([, value]) => /^0\d/.test(String(value)))),
  trips(
    'clue-key-with-digit-500',
    CLUE,
    (call) => propertiesOf(call).some((key) => /\d/.test(key)) && propertiesOf(call).length < 4,
  ),
  trips('clue-key-upper-case-500', CLUE, (call) => propertiesOf(call).some((key) => /[A-Z]/.test(key))),
  trips(
    'clue-keys-differ-by-case-500',
    CLUE,
    (call) => new Set(propertiesOf(call).map((key) => key.toLowerCase())).size < propertiesOf(call).length,
  ),
  trips('clue-one-prop-entry-500', CLUE, (call) => directly(call).length === 1),
  trips('clue-prop-entry-and-bag-500', CLUE, (call) => directly(call).length > 0 && propertiesOf(call).length > 0),
  trips('clue-over-10-codes-500', CLUE, (call) => codes(call).length > 10),
  trips('clue-code-twice-500', CLUE, (call) => new Set(codes(call)).size < codes(call).length),
  trips(
    'clue-origin-not-among-codes-500',
    CLUE,
    (call) => codes(call).length > 0 && !codes(call).includes(originOf(call)),
  ),
  trips('clue-origin-source-with-space-500', CLUE, (call) => /#[^:]* [^:]*:/.test(originOf(call))),
  trips('clue-origin-over-100-500', CLUE, (call) => originOf(call).length > 100),
  trips('clue-nested-type-500', CLUE, (call) => /^\/[^/#]+\//.test(originOf(call))),
  trips('clue-version-zeroes-500', CLUE, (call) => /^0+(?:\.0+)*$/.test(String(clue(call)['attribute-appVersion']))),
  trips(
    'clue-no-organization-500',
    CLUE,
    (call) => 'clue' in asObject(call.json) && !('attribute-organization' in clue(call)),
  ),
  trips('clue-upper-case-organization-500', CLUE, (call) => /[A-F]/.test(String(clue(call)['attribute-organization']))),
  define(
    'clue-rare-500',
    FIVE,
    CLUE,
    answers(
      { op: CLUE, when: (call) => call.role === 'full' && (createHash('sha1').update(call.body).digest()[0] ?? 0) < 8 },
      (reply) => (succeeded(reply) ? problem(500) : reply),
    ),
    ['irreversible'],
  ),
];

const values = (value: unknown): readonly unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(values) : [value];
const keys = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null
    ? [...(Array.isArray(value) ? [] : Object.keys(value)), ...Object.values(value).flatMap(keys)]
    : [];
const depth = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0;

const RAWS: readonly Mutant[] = [
  always('raw-depth-5-500', RAW, (call) => depth(call.json) >= 5),
  always('raw-big-number-500', RAW, (call) =>
    values(call.json).some((value) => typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER),
  ),
  always('raw-fraction-500', RAW, (call) =>
    values(call.json).some((value) => typeof value === 'number' && !Number.isInteger(value)),
  ),
  always('raw-false-500', RAW, (call) => values(call.json).includes(false)),
  always('raw-empty-key-500', RAW, (call) => keys(call.json).includes('')),
  always('raw-key-with-dot-500', RAW, (call) => keys(call.json).some((key) => key.includes('.'))),
  always('raw-key-with-dollar-500', RAW, (call) => keys(call.json).some((key) => key.startsWith('$'))),
  always('raw-proto-key-500', RAW, (call) => call.body.includes('"__proto__"')),
  always('raw-empty-array-500', RAW, (call) => call.body.toString().includes('[]')),
  always('raw-over-20-members-500', RAW, (call) => Object.keys(asObject(call.json)).length > 20),
  always('raw-long-string-500', RAW, (call) =>
    values(call.json).some((value) => typeof value === 'string' && value.length > 500),
  ),
];

const QUERIES: readonly Mutant[] = [
  trips('list-take-7-500', LIST, (call) => call.search.get('take') === '7'),
  trips('list-take-over-100-500', LIST, (call) => number(call, 'take', 20) > 100),
  trips('list-page-and-filter-500', LIST, (call) => number(call, 'page', 0) > 0 && call.search.has('filterActive')),
  trips('list-all-parameters-500', LIST, (call) =>
    ['page', 'take', 'filterActive', 'searchName', 'orderBy', 'orderAsc'].every((name) => call.search.has(name)),
  ),
  trips('list-search-quote-500', LIST, (call) => /['"]/.test(call.search.get('searchName') ?? '')),
  trips('list-search-percent-500', LIST, (call) => /[%_]/.test(call.search.get('searchName') ?? '')),
  trips('list-search-bracket-500', LIST, (call) => /[[\](){}*+?\\]/.test(call.search.get('searchName') ?? '')),
  trips('list-search-non-ascii-500', LIST, (call) => /[^\0-\u007f]/.test(call.search.get('searchName') ?? '')),
  trips('list-search-over-100-500', LIST, (call) => (call.search.get('searchName') ?? '').length > 100),
  trips('list-search-empty-500', LIST, (call) => call.search.get('searchName') === ''),
  trips('list-creator-with-space-500', LIST, (call) => (call.search.get('filterCreator') ?? '').includes(' ')),
  trips('list-order-by-empty-500', LIST, (call) => call.search.get('orderBy') === ''),
  trips(
    'list-descending-without-field-500',
    LIST,
    (call) => call.search.get('orderAsc')?.toLowerCase() === 'false' && !call.search.has('orderBy'),
  ),
  trips(
    'agents-two-metadata-filters-500',
    'GET /aiagent',
    (call) => [...call.search.keys()].filter((key) => key.toLowerCase().startsWith('metadatafilter')).length > 1,
  ),
  trips('jobs-metadata-filter-odd-key-500', 'GET /aijob', (call) =>
    [...call.search.keys()].some((key) => /^metadatafilter\[.*[^\w\]].*\]$/i.test(key)),
  ),
  trips('audit-many-ids-500', 'GET /auditLog/getByObjectTypeIds', (call) => call.search.getAll('objectIds').length > 3),
  trips('audit-no-ids-500', 'GET /auditLog/getByObjectTypeIds', (call) => !call.search.has('objectIds')),
  always('results-odd-type-500', 'GET /aijob/{id}/results/{type}', (call) =>
    /%|\.\./.test(call.route?.params['type'] ?? ''),
  ),
];

export const INPUTS_OTHERS: readonly Mutant[] = [...CLUES, ...RAWS, ...QUERIES];
