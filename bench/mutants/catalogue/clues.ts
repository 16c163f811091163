import { area } from '../define.ts';
import { answers, asList, asObject, empty, hit, problem, succeeded, text, withHeader } from '../kit.ts';
import type { JsonMap } from '../kit.ts';
import type { Call, Make, Mutant } from '../types.ts';

const define = area('clues');
const CLUE = 'POST /clue';
const RAW = 'POST /admin/entity/ProcessClue';
const BODY = 'body: Clue, with the fields of section 2 (sections 2, 4)';
const RAW_BODY = 'A JSON object of arbitrary shape (section 2)';
const FIVE = '500 is an unexpected server error (section 7)';
const row = (name: string, breaks: string, op: string, make: Make): Mutant =>
  define(name, breaks, op, make, ['irreversible']);

/** The entity of a posted clue. */
export function entityOf(call: Call): JsonMap {
  const clue = asObject(asObject(call.json)['clue']);
  return asObject(asObject(asObject(clue['clueDetails'])['data'])['entityData']);
}

/** Names of the properties of a posted clue, without the bag's own type. */
export function propertiesOf(call: Call): readonly string[] {
  return Object.keys(asObject(entityOf(call)['properties'])).filter((name) => name !== 'attribute-type');
}

/** The clue's origin code. */
export function originOf(call: Call): string {
  const origin = asObject(asObject(call.json)['clue'])['attribute-origin'];
  return typeof origin === 'string' ? origin : '';
}

const served = (call: Call): boolean => call.role === 'full';
const fails = (status: number, when: (call: Call) => boolean, op = CLUE): Make =>
  answers({ op, when: (call) => served(call) && when(call) }, (reply) => (succeeded(reply) ? problem(status) : reply));
const isClue = (call: Call): boolean => 'clue' in asObject(call.json);
const direct = (call: Call): boolean =>
  Object.keys(entityOf(call)).some((name) => name.startsWith('prop') && name !== 'properties');
const unclosed = (call: Call): boolean => served(call) && call.body.length > 0 && call.json === undefined;
const idPart = (call: Call): string => originOf(call).split(':').slice(1).join(':');

/** The second posting of a clue with the same origin is treated otherwise. */
const second =
  (status: number): Make =>
  () => {
    const seen = new Set<string>();
    return async (call, next) => {
      const reply = await next();
      if (!hit(call, CLUE) || !succeeded(reply)) return reply;
      const again = seen.has(originOf(call));
      seen.add(originOf(call));
      return again ? problem(status) : reply;
    };
  };

const ACCEPTANCE: readonly Mutant[] = [
  row(
    'all-refused',
    BODY,
    CLUE,
    fails(400, () => true),
  ),
  row(
    'empty-bag-500',
    FIVE,
    CLUE,
    fails(500, (call) => isClue(call) && 'properties' in entityOf(call) && propertiesOf(call).length === 0),
  ),
  row(
    'empty-bag-400',
    BODY,
    CLUE,
    fails(400, (call) => isClue(call) && 'properties' in entityOf(call) && propertiesOf(call).length === 0),
  ),
  row(
    'one-property-500',
    FIVE,
    CLUE,
    fails(500, (call) => propertiesOf(call).length === 1),
  ),
  row(
    'over-100-properties-500',
    FIVE,
    CLUE,
    fails(500, (call) => propertiesOf(call).length > 100),
  ),
  row(
    'over-20-properties-400',
    BODY,
    CLUE,
    fails(400, (call) => propertiesOf(call).length > 20),
  ),
  row(
    'no-codes-500',
    FIVE,
    CLUE,
    fails(
      500,
      (call) => isClue(call) && Array.isArray(entityOf(call)['codes']) && asList(entityOf(call)['codes']).length === 0,
    ),
  ),
  row(
    'several-codes-400',
    BODY,
    CLUE,
    fails(400, (call) => asList(entityOf(call)['codes']).length > 1),
  ),
  row('prop-entries-500', FIVE, CLUE, fails(500, direct)),
  row(
    'prop-entries-400',
    'Entity data may also carry property entries directly under entityData (section 2)',
    CLUE,
    fails(400, direct),
  ),
  row(
    'origin-id-with-dash-500',
    FIVE,
    CLUE,
    fails(500, (call) => idPart(call).includes('-')),
  ),
  row(
    'origin-id-numeric-400',
    'origin code of the form /<EntityType>#<source>:<id> (section 2)',
    CLUE,
    fails(400, (call) => /^\d+$/.test(idPart(call))),
  ),
  row(
    'long-version-400',
    'version of the producing application, dotted numeric (section 2)',
    CLUE,
    fails(400, (call) => String(asObject(asObject(call.json)['clue'])['attribute-appVersion']).split('.').length > 3),
  ),
  row(
    'short-version-500',
    FIVE,
    CLUE,
    fails(500, (call) => /^\d+\.\d+$/.test(String(asObject(asObject(call.json)['clue'])['attribute-appVersion']))),
  ),
  row(
    'dotless-key-500',
    FIVE,
    CLUE,
    fails(500, (call) => propertiesOf(call).some((name) => name.split('.').length > 2)),
  ),
];

const POSTING: readonly Mutant[] = [
  row(
    'save-absent-500',
    FIVE,
    CLUE,
    fails(500, (call) => !call.search.has('save')),
  ),
  row(
    'save-false-500',
    FIVE,
    CLUE,
    fails(500, (call) => call.search.get('save')?.toLowerCase() === 'false'),
  ),
  row(
    'save-true-refused',
    'query parameter save (boolean, sent as true) (section 4)',
    CLUE,
    fails(400, (call) => call.search.get('save') === 'true'),
  ),
  row('second-posting-409', BODY, CLUE, second(409)),
  row('second-posting-500', FIVE, CLUE, second(500)),
  row(
    'unclosed-accepted',
    '400 request malformed (section 7)',
    CLUE,
    answers({ op: CLUE, when: unclosed }, () => empty()),
  ),
  row(
    'unclosed-500',
    '400 request malformed (section 7)',
    CLUE,
    answers({ op: CLUE, when: unclosed }, () => problem(500)),
  ),
  row(
    'empty-body-500',
    FIVE,
    CLUE,
    answers({ op: CLUE, when: (call) => served(call) && call.body.length === 0 }, () => problem(500)),
  ),
  row(
    'array-body-500',
    FIVE,
    CLUE,
    answers({ op: CLUE, when: (call) => served(call) && Array.isArray(call.json) }, () => problem(500)),
  ),
  row(
    'without-clue-500',
    FIVE,
    CLUE,
    answers({ op: CLUE, when: (call) => served(call) && call.json !== undefined && !isClue(call) }, () => problem(500)),
  ),
  row(
    'text-json-refused',
    'Request bodies are accepted as text/json (section 4)',
    CLUE,
    answers(
      { op: CLUE, when: (call) => served(call) && (call.headers['content-type'] ?? '').startsWith('text/json') },
      () => problem(415),
    ),
  ),
  row(
    'plus-json-refused',
    'Request bodies are accepted as application/*+json (section 4)',
    CLUE,
    answers({ op: CLUE, when: (call) => served(call) && /\+json/.test(call.headers['content-type'] ?? '') }, () =>
      problem(415),
    ),
  ),
  row(
    'answer-is-html',
    'responses are JSON (section 9)',
    CLUE,
    answers(CLUE, (reply) => (succeeded(reply) ? text('<p>accepted</p>', 'text/html') : reply)),
  ),
  row(
    'answer-malformed',
    'responses are JSON (section 9)',
    CLUE,
    answers(CLUE, (reply) => (succeeded(reply) ? text('{"accepted": tru', 'application/json') : reply)),
  ),
  row('each-seventh-refused', BODY, CLUE, () => {
    let count = 0;
    return async (call, next) => {
      const reply = await next();
      if (hit(call, CLUE) && succeeded(reply)) count += 1;
      return hit(call, CLUE) && succeeded(reply) && count % 7 === 0 ? problem(400) : reply;
    };
  }),
];

const RAWS: readonly Mutant[] = [
  row(
    'raw-all-500',
    FIVE,
    RAW,
    fails(500, () => true, RAW),
  ),
  row(
    'raw-empty-object-500',
    FIVE,
    RAW,
    answers({ op: RAW, when: (call) => served(call) && call.body.toString().replaceAll(/\s/g, '') === '{}' }, () =>
      problem(500),
    ),
  ),
  row(
    'raw-array-value-500',
    FIVE,
    RAW,
    answers({ op: RAW, when: (call) => served(call) && Object.values(asObject(call.json)).some(Array.isArray) }, () =>
      problem(500),
    ),
  ),
  row(
    'raw-null-value-500',
    FIVE,
    RAW,
    answers({ op: RAW, when: (call) => served(call) && Object.values(asObject(call.json)).includes(null) }, () =>
      problem(500),
    ),
  ),
  row(
    'raw-nested-500',
    RAW_BODY,
    RAW,
    answers(
      {
        op: RAW,
        when: (call) =>
          served(call) && Object.values(asObject(call.json)).some((value) => Object.keys(asObject(value)).length > 0),
      },
      () => problem(500),
    ),
  ),
  row(
    'raw-unclosed-accepted',
    '400 request malformed (section 7)',
    RAW,
    answers({ op: RAW, when: unclosed }, () => empty()),
  ),
  row(
    'raw-unclosed-500',
    '400 request malformed (section 7)',
    RAW,
    answers({ op: RAW, when: unclosed }, () => problem(500)),
  ),
  row(
    'raw-text-json-refused',
    'Request bodies are accepted as text/json (section 4)',
    RAW,
    answers(
      { op: RAW, when: (call) => served(call) && (call.headers['content-type'] ?? '').startsWith('text/json') },
      () => problem(415),
    ),
  ),
  row(
    'raw-answer-is-html',
    'responses are JSON (section 9)',
    RAW,
    answers(RAW, (reply) => (succeeded(reply) ? text('<p>done</p>', 'text/html') : reply)),
  ),
  row(
    'raw-answer-octets',
    'responses are JSON (section 9)',
    RAW,
    answers(RAW, (reply) =>
      succeeded(reply)
        ? withHeader({ ...reply, body: Buffer.from('{"ok":1}') }, 'content-type', 'application/octet-stream')
        : reply,
    ),
  ),
];

export const CLUES: readonly Mutant[] = [...ACCEPTANCE, ...POSTING, ...RAWS];
