import type { Call } from '../../http/call.ts';
import { mediaType } from '../../http/media.ts';
import type { Fields } from '../../model/shape.ts';
import { properties } from '../fault.ts';
import * as op from '../operations.ts';
import { after, afterSuccess, before, fields, items, query, refused, refusing, retext, textOf } from '../parts.ts';
import { ASTRAL, CONTROL, RIGHT_TO_LEFT, bagOf, stringsIn } from './values.ts';

const NEVER_FAILS = 'A valid request is never answered with a server error.';
const READS_BACK = 'What was created or updated reads back as it was sent.';
const ANY_BAG = 'Clues are accepted alike, whatever the property bag holds.';

const OFFERED = 'Responses are offered as application/json, text/json and text/plain.';
const SEARCH = 'searchName selects by name.';

/** What becomes of UTF-8 that is taken for Latin-1. */
const misread = (value: unknown): unknown =>
  value === undefined ? undefined : (JSON.parse(Buffer.from(JSON.stringify(value)).toString('latin1')) as unknown);

const searching = (change: (wanted: string) => string) =>
  query('searchName', (given) => (given === undefined ? undefined : change(given)));
const name = (call: Call) => textOf(fields(call)['name']);
const bagKeys = (call: Call) => Object.keys(bagOf(call));
const bagValues = (call: Call) => Object.values(bagOf(call));
const WRITE_POLICY = [op.CREATE_POLICY, op.UPDATE_POLICY];

export const characterFaults = {
  'astral-name-500': properties('An emoji in a policy name makes the service fail', NEVER_FAILS, WRITE_POLICY, () => ({
    inner: refusing(500, (call) => ASTRAL.test(name(call))),
  })),
  'astral-name-mangled': properties(
    'Emoji in an agent name become question marks',
    READS_BACK,
    [op.CREATE_AGENT, op.UPDATE_AGENT],
    () => ({ inner: retext('name', (text) => text.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '??')) }),
  ),
  'apostrophe-500': properties(
    'An apostrophe in a policy name makes the service fail',
    NEVER_FAILS,
    WRITE_POLICY,
    () => ({ inner: refusing(500, (call) => name(call).includes("'")) }),
  ),
  'apostrophe-search-500': properties(
    'An apostrophe in searchName makes the service fail',
    NEVER_FAILS,
    [op.POLICIES],
    () => ({ outer: refusing(500, (call) => (call.query.text('searchName') ?? '').includes("'")) }),
  ),
  'percent-search-500': properties(
    'A percent sign in searchName makes the service fail',
    NEVER_FAILS,
    [op.POLICIES, op.RESULTS],
    () => ({ outer: refusing(500, (call) => (call.query.text('searchName') ?? '').includes('%')) }),
  ),
  'bracket-search-500': properties(
    'An opening bracket in searchName makes the service fail',
    NEVER_FAILS,
    [op.POLICIES],
    () => ({ outer: refusing(500, (call) => /[[(]/.test(call.query.text('searchName') ?? '')) }),
  ),
  'rtl-500': properties(
    'Right-to-left text in a job makes the service fail',
    NEVER_FAILS,
    [op.CREATE_JOB, op.UPDATE_JOB],
    () => ({ inner: refusing(500, (call) => stringsIn(call.body).some((text) => RIGHT_TO_LEFT.test(text))) }),
  ),
  'control-character-500': properties(
    'A control character in an agent makes the service fail',
    NEVER_FAILS,
    [op.CREATE_AGENT],
    () => ({ inner: refusing(500, (call) => stringsIn(call.body).some((text) => CONTROL.test(text))) }),
  ),
  'null-word-500': properties(
    'A policy that is named null makes the service fail',
    NEVER_FAILS,
    [op.CREATE_POLICY],
    () => ({ inner: refusing(500, (call) => name(call).toLowerCase() === 'null') }),
  ),
  'null-word-lost': properties(
    'The description null reads back as null',
    READS_BACK,
    [op.READ_POLICY, ...WRITE_POLICY],
    () => ({ inner: items((item) => (item['description'] === 'null' ? { ...item, description: null } : item)) }),
    [op.READ_POLICY],
  ),
  'markup-refused': properties(
    'A name with an angle bracket makes the service fail',
    NEVER_FAILS,
    [op.CREATE_AGENT, op.CREATE_JOB],
    () => ({ inner: refusing(500, (call) => name(call).includes('<')) }),
  ),
  'name-trimmed': properties('White space around a policy name is lost', READS_BACK, WRITE_POLICY, () => ({
    inner: retext('name', (text) => text.trim()),
  })),
  'name-normalised': properties('A job name is normalised', READS_BACK, [op.CREATE_JOB, op.UPDATE_JOB], () => ({
    inner: retext('name', (text) => text.normalize('NFKC')),
  })),
  'name-lower-case': properties(
    'An agent name reads back in lower case',
    READS_BACK,
    [op.CREATE_AGENT, op.UPDATE_AGENT],
    () => ({ inner: retext('name', (text) => text.toLowerCase()) }),
  ),
  'name-cut': properties('A policy name is cut after 50 characters', READS_BACK, WRITE_POLICY, () => ({
    inner: retext('name', (text) => text.slice(0, 50)),
  })),
  'quote-doubled': properties('Quotes in a policy name are doubled', READS_BACK, WRITE_POLICY, () => ({
    inner: retext('name', (text) => text.replaceAll('"', '""')),
  })),
  'backslash-lost': properties('Backslashes in a prompt are lost', READS_BACK, [op.CREATE_JOB, op.UPDATE_JOB], () => ({
    inner: retext('prompt', (text) => text.replaceAll('\\', '')),
  })),
  'newline-lost': properties(
    'Line ends in instructions become spaces',
    READS_BACK,
    [op.CREATE_AGENT, op.UPDATE_AGENT],
    () => ({ inner: retext('instructions', (text) => text.replaceAll(/[\r\n]+/g, ' ')) }),
  ),
  'markup-escaped': properties(
    'Markup in a policy description reads back escaped',
    READS_BACK,
    [op.READ_POLICY, ...WRITE_POLICY],
    () => ({ inner: items((item) => ({ ...item, description: escaped(item['description']) })) }),
    [op.READ_POLICY],
  ),
  'bag-empty-value-400': properties('A property with an empty value is refused', ANY_BAG, [op.CLUE], () => ({
    inner: refusing(400, (call) => bagValues(call).includes('')),
  })),
  'bag-two-dots-500': properties('A vocabulary key with two dots makes the service fail', ANY_BAG, [op.CLUE], () => ({
    inner: refusing(500, (call) => bagKeys(call).some((key) => key.split('.').length > 2)),
  })),
  'bag-space-500': properties('A space in a vocabulary key makes the service fail', ANY_BAG, [op.CLUE], () => ({
    inner: refusing(500, (call) => bagKeys(call).some((key) => key.includes(' '))),
  })),
  'bag-quote-500': properties('A quote in a property value makes the service fail', ANY_BAG, [op.CLUE], () => ({
    inner: refusing(500, (call) => bagValues(call).some((value) => String(value).includes('"'))),
  })),
  'bag-long-value-500': properties(
    'A property value of more than 255 characters makes the service fail',
    ANY_BAG,
    [op.CLUE],
    () => ({ inner: refusing(500, (call) => bagValues(call).some((value) => String(value).length > 255)) }),
  ),
  'bag-astral-500': properties('An emoji in a property value makes the service fail', ANY_BAG, [op.CLUE], () => ({
    inner: refusing(500, (call) => bagValues(call).some((value) => ASTRAL.test(String(value)))),
  })),
  'raw-dollar-500': properties(
    'A member of raw data that begins with a dollar sign makes the service fail',
    NEVER_FAILS,
    [op.RAW],
    () => ({ inner: refusing(500, (call) => Object.keys(fields(call)).some((key) => key.startsWith('$'))) }),
  ),
  'text-plain-latin1': properties(
    'A policy asked for as text/plain is written in Latin-1',
    OFFERED,
    [op.READ_POLICY],
    () => ({
      outer: afterSuccess((answer, { accept }) =>
        accept === 'text/plain' ? { ...answer, body: misread(answer.body) } : answer,
      ),
    }),
  ),
  'text-json-latin1': properties('A policy sent as text/json is read as Latin-1', READS_BACK, WRITE_POLICY, () => ({
    inner: before((call) => {
      if (mediaType(call.contentType ?? '') === 'text/json') call.body = misread(call.body);
    }),
  })),
  'list-null-metadata-500': properties(
    'An agent without metadata makes the list of agents fail',
    NEVER_FAILS,
    [op.AGENTS],
    () => ({
      inner: after((answer) =>
        Array.isArray(answer.body) && answer.body.some((item: Fields) => item['metadata'] === null)
          ? refused(500)
          : answer,
      ),
    }),
  ),
  'search-quote-finds-nothing': properties(
    'A policy whose name has an apostrophe is not found by it',
    SEARCH,
    [op.POLICIES],
    () => ({ inner: searching((wanted) => wanted.replaceAll("'", "''")) }),
  ),
  'search-decoded-twice': properties(
    'A percent code in searchName is decoded once more',
    SEARCH,
    [op.POLICIES],
    () => ({ inner: searching((wanted) => wanted.replaceAll(/%[2-7][0-9a-f]/gi, decodeURIComponent)) }),
  ),
  'search-cut-at-64': properties(
    'Only the first 64 characters of searchName are looked at',
    SEARCH,
    [op.POLICIES],
    () => ({ inner: searching((wanted) => wanted.slice(0, 64)) }),
  ),
} as const;

function escaped(text: unknown): unknown {
  return typeof text === 'string' ? text.replaceAll('&', '&amp;').replaceAll('<', '&lt;') : text;
}
