import type { Call } from '../../http/call.ts';
import { isFields } from '../../model/shape.ts';
import type { Fields } from '../../model/shape.ts';
import { properties } from '../fault.ts';
import * as op from '../operations.ts';
import { before, cutting, fields, refused, refusing, textOf } from '../parts.ts';
import { bagOf, entityOf } from './values.ts';

const NEVER_FAILS = 'A valid request is never answered with a server error.';
const ANY_BAG = 'Clues are accepted alike, whatever the property bag holds.';

const nameOf = (call: Call) => textOf(fields(call)['name']);
const metadataOf = (call: Call) => (isFields(fields(call)['metadata']) ? (fields(call)['metadata'] as Fields) : {});
const bagSize = (call: Call) => Object.keys(bagOf(call)).length;

/** How deep the rules of a filter rule nest. */
function ruleDepth(rule: unknown): number {
  if (!isFields(rule)) return 0;
  const rules: unknown = rule['rules'];
  return 1 + (Array.isArray(rules) ? Math.max(0, ...rules.map(ruleDepth)) : 0);
}

const rulesOf = (call: Call): readonly unknown[] => {
  const rules: unknown = fields(call)['rules'];
  return Array.isArray(rules) ? rules : [];
};

export const sizeFaults = {
  'long-name-500': properties(
    'A policy name of more than 64 characters makes the service fail',
    NEVER_FAILS,
    [op.CREATE_POLICY, op.UPDATE_POLICY],
    () => ({ inner: refusing(500, (call) => nameOf(call).length > 64) }),
  ),
  'long-agent-name-500': properties(
    'An agent name of more than 128 characters makes the service fail',
    NEVER_FAILS,
    [op.CREATE_AGENT],
    () => ({ inner: refusing(500, (call) => nameOf(call).length > 128) }),
  ),
  'one-letter-name-500': properties(
    'A job name of one character makes the service fail',
    NEVER_FAILS,
    [op.CREATE_JOB],
    () => ({ inner: refusing(500, (call) => nameOf(call).length === 1) }),
  ),
  'long-description-500': properties(
    'A description of more than 200 characters makes the service fail',
    NEVER_FAILS,
    [op.CREATE_POLICY],
    () => ({ inner: refusing(500, (call) => textOf(fields(call)['description']).length > 200) }),
  ),
  'empty-description-500': properties(
    'An empty description makes the service fail',
    NEVER_FAILS,
    [op.CREATE_POLICY],
    () => ({ inner: refusing(500, (call) => fields(call)['description'] === '') }),
  ),
  'null-description-500': properties(
    'A description that is null makes the service fail',
    NEVER_FAILS,
    [op.CREATE_AGENT, op.CREATE_JOB],
    () => ({ inner: refusing(500, (call) => fields(call)['description'] === null) }),
  ),
  'deep-rules-500': properties(
    'Filter rules nested deeper than 3 make the service fail',
    NEVER_FAILS,
    [op.CREATE_POLICY, op.UPDATE_POLICY],
    () => ({ inner: refusing(500, (call) => ruleDepth(fields(call)['condition']) > 3) }),
  ),
  'many-rules-500': properties('More than 8 rules make the service fail', NEVER_FAILS, [op.CREATE_POLICY], () => ({
    inner: refusing(500, (call) => rulesOf(call).length > 8),
  })),
  'empty-rules-500': properties(
    'An empty list of rules makes the service fail',
    NEVER_FAILS,
    [op.UPDATE_POLICY],
    () => ({ inner: refusing(500, (call) => Array.isArray(fields(call)['rules']) && rulesOf(call).length === 0) }),
  ),
  'long-prompt-cuts-connection': properties(
    'A prompt of more than 200 characters cuts the connection',
    'Every request is answered.',
    [op.CREATE_JOB, op.UPDATE_JOB],
    () => ({ inner: cutting((call) => textOf(fields(call)['prompt']).length > 200) }),
  ),
  'many-members-cut-connection': properties(
    'Raw data of more than 20 members cuts the connection',
    'Every request is answered.',
    [op.RAW],
    () => ({ inner: cutting((call) => Object.keys(fields(call)).length > 20) }),
  ),
  'metadata-many-500': properties(
    'More than 10 metadata entries make the service fail',
    NEVER_FAILS,
    [op.CREATE_AGENT, op.CREATE_JOB],
    () => ({ inner: refusing(500, (call) => Object.keys(metadataOf(call)).length > 10) }),
  ),
  'metadata-empty-value-500': properties(
    'An empty metadata value makes the service fail',
    NEVER_FAILS,
    [op.CREATE_JOB],
    () => ({ inner: refusing(500, (call) => Object.values(metadataOf(call)).includes('')) }),
  ),
  'big-bag-500': properties('A property bag of more than 50 keys makes the service fail', ANY_BAG, [op.CLUE], () => ({
    inner: refusing(500, (call) => bagSize(call) > 50),
  })),
  'big-bag-400': properties('A property bag of more than 1,000 keys is refused', ANY_BAG, [op.CLUE], () => ({
    inner: refusing(400, (call) => bagSize(call) > 1000),
  })),
  'empty-bag-500': properties('A property bag without properties makes the service fail', ANY_BAG, [op.CLUE], () => ({
    inner: refusing(500, (call) => entityOf(call)['properties'] !== undefined && bagSize(call) === 0),
  })),
  'empty-codes-500': properties('A clue without codes makes the service fail', NEVER_FAILS, [op.CLUE], () => ({
    inner: refusing(
      500,
      (call) => Array.isArray(entityOf(call)['codes']) && (entityOf(call)['codes'] as unknown[]).length === 0,
    ),
  })),
  'many-codes-500': properties('A clue of more than 5 codes makes the service fail', NEVER_FAILS, [op.CLUE], () => ({
    inner: refusing(
      500,
      (call) => Array.isArray(entityOf(call)['codes']) && (entityOf(call)['codes'] as unknown[]).length > 5,
    ),
  })),
  'prop-entry-500': properties(
    'A prop entry under entityData makes the service fail',
    'Entity data may carry property entries keyed by a key prefixed with prop.',
    [op.CLUE],
    () => ({
      inner: refusing(500, (call) =>
        Object.keys(entityOf(call)).some((key) => key.startsWith('prop') && key !== 'properties'),
      ),
    }),
  ),
  'wide-raw-400': properties(
    'Raw data of more than 400 members is refused',
    'Raw data is a JSON object of arbitrary shape.',
    [op.RAW],
    () => ({ inner: (call, next) => (Object.keys(fields(call)).length > 400 ? refused(400) : next(call)) }),
  ),
  'empty-raw-500': properties('Raw data without members makes the service fail', NEVER_FAILS, [op.RAW], () => ({
    inner: refusing(500, (call) => Object.keys(fields(call)).length === 0),
  })),
  'nested-raw-500': properties(
    'Raw data with an array of objects makes the service fail',
    NEVER_FAILS,
    [op.RAW],
    () => ({
      inner: refusing(500, (call) =>
        Object.values(fields(call)).some((value) => Array.isArray(value) && value.some(isFields)),
      ),
    }),
  ),
  'take-zero-500': properties('take=0 makes the service fail', NEVER_FAILS, [op.POLICIES], () => ({
    outer: refusing(500, (call) => call.query.text('take') === '0'),
  })),
  'negative-page-500': properties(
    'A negative page makes the service fail',
    NEVER_FAILS,
    [op.POLICIES, op.AUDIT],
    () => ({ outer: refusing(500, (call) => Number(call.query.text('page') ?? 0) < 0) }),
  ),
  'page-number-zero-500': properties('pageNumber=0 makes the service fail', NEVER_FAILS, [op.RUNS, op.CHATS], () => ({
    outer: refusing(500, (call) => Number(call.query.text('pageNumber') ?? 1) <= 0),
  })),
  'big-page-500': properties('A page index beyond 100,000 makes the service fail', NEVER_FAILS, [op.POLICIES], () => ({
    outer: refusing(500, (call) => Number(call.query.text('page') ?? 0) > 100_000),
  })),
  'page-after-take-ignored': properties(
    'A page that stands after take is not read',
    'Parameters mean the same in any order.',
    [op.POLICIES],
    () => ({
      outer: before((call) => {
        const names = call.query.entries().map(([name]) => name.toLowerCase());
        if (names.includes('take') && names.indexOf('page') > names.indexOf('take'))
          call.query = call.query.with('page', undefined);
      }),
    }),
  ),
  'organization-capitals-500': properties(
    'An organization in capitals makes the service fail',
    NEVER_FAILS,
    [op.CLUE],
    () => ({
      inner: refusing(
        500,
        (call) =>
          isFields(fields(call)['clue']) &&
          /[A-F]/.test(textOf((fields(call)['clue'] as Fields)['attribute-organization'])),
      ),
    }),
  ),
  'order-by-unknown-500': properties(
    'Sorting by an unknown field makes the service fail',
    NEVER_FAILS,
    [op.POLICIES],
    () => ({ outer: refusing(500, (call) => /[^a-z]/i.test(call.query.text('orderBy') ?? '')) }),
  ),
  'empty-order-500': properties(
    'An empty processing order makes the service fail',
    NEVER_FAILS,
    [op.SET_ORDER],
    () => ({ inner: refusing(500, (call) => Array.isArray(call.body) && call.body.length === 0) }),
  ),
  'repeated-order-500': properties(
    'A processing order that repeats a policy makes the service fail',
    NEVER_FAILS,
    [op.SET_ORDER],
    () => ({
      inner: refusing(
        500,
        ({ body }) => Array.isArray(body) && new Set(body.map((entry: Fields) => entry['id'])).size < body.length,
      ),
    }),
  ),
  'rare-failure': properties('Every 20th read of a policy fails', NEVER_FAILS, [op.READ_POLICY], () => {
    let calls = 0;
    return { outer: (call, next) => (++calls % 20 === 0 ? refused(500) : next(call)) };
  }),
  'rare-clue-failure': properties('Every 30th clue fails', NEVER_FAILS, [op.CLUE], () => {
    let calls = 0;
    return { inner: (call, next) => (++calls % 30 === 0 ? refused(500) : next(call)) };
  }),
} as const;
