import { isAccepted, mediaType } from '../../http/media.ts';
import type { Call } from '../../http/call.ts';
import { contract } from '../fault.ts';
import * as op from '../operations.ts';
import { afterSuccess, refusing } from '../parts.ts';

const REQUEST =
  'Bodies are accepted as application/json, application/json-patch+json, text/json and application/*+json.';
const RESPONSE = 'Responses are offered as application/json, text/json and text/plain.';
const MALFORMED = 'A malformed body is answered with 400.';

function sentAs(type: string): (call: Call) => boolean {
  return ({ contentType }) => contentType !== undefined && mediaType(contentType) === type;
}

function isOtherJson({ contentType }: Call): boolean {
  return (
    isAccepted(contentType) &&
    !/^(application\/json|application\/json-patch\+json|text\/json)\b/i.test(contentType ?? '')
  );
}

function isUnclosed({ raw }: Call): boolean {
  const text = raw?.toString() ?? '';
  return /^\s*[{[]/.test(text) && !/[}\]]\s*$/.test(text);
}

export const mediaFaults = {
  'json-patch-type-refused': contract('application/json-patch+json is refused with 415', REQUEST, op.WITH_BODY, () => ({
    outer: refusing(415, sentAs('application/json-patch+json')),
  })),
  'json-patch-type-refused-on-patch': contract(
    'PATCH refuses application/json-patch+json',
    REQUEST,
    [op.PATCH_JOB],
    () => ({ outer: refusing(415, sentAs('application/json-patch+json')) }),
  ),
  'text-json-refused': contract('text/json is refused with 415', REQUEST, [op.CREATE_POLICY, op.UPDATE_POLICY], () => ({
    outer: refusing(415, sentAs('text/json')),
  })),
  'text-json-500': contract('text/json makes the service fail', REQUEST, [op.CREATE_AGENT], () => ({
    outer: refusing(500, sentAs('text/json')),
  })),
  'vendor-json-refused': contract(
    'application/*+json is refused with 415',
    REQUEST,
    [op.CREATE_JOB, op.UPDATE_JOB],
    () => ({ outer: refusing(415, isOtherJson) }),
  ),
  'json-refused-on-order': contract('The processing order refuses application/json', REQUEST, [op.SET_ORDER], () => ({
    outer: refusing(415, sentAs('application/json')),
  })),
  'odd-type-500': contract(
    'A Content-Type that is not documented makes the service fail',
    'No request makes the service fail.',
    [op.CREATE_POLICY],
    () => ({ outer: refusing(500, (call) => !isAccepted(call.contentType)) }),
  ),
  'accept-text-json-406': contract('Accept: text/json is answered with 406', RESPONSE, [op.POLICIES], () => ({
    outer: refusing(406, ({ accept }) => accept === 'text/json'),
  })),
  'accept-text-plain-500': contract(
    'Accept: text/plain makes the service fail',
    RESPONSE,
    [op.READ_JOB, op.JOBS],
    () => ({ outer: refusing(500, ({ accept }) => accept === 'text/plain') }),
  ),
  'accept-ignored-html': contract('Accept: text/json is answered with text/html', RESPONSE, [op.ORDER], () => ({
    outer: afterSuccess((answer, { accept }) => (accept === 'text/json' ? { ...answer, type: 'text/html' } : answer)),
  })),
  'unclosed-accepted': contract('An unclosed object creates an agent', MALFORMED, [op.CREATE_AGENT], () => ({
    outer: (call, next) => (isUnclosed(call) ? { status: 200 } : next(call)),
  })),
  'unclosed-500': contract(
    'An unclosed object makes the service fail',
    MALFORMED,
    [op.CREATE_POLICY, op.UPDATE_POLICY],
    () => ({ outer: refusing(500, isUnclosed) }),
  ),
  'unclosed-clue-accepted': contract('An unclosed clue is taken', MALFORMED, [op.CLUE], () => ({
    outer: (call, next) => (isUnclosed(call) ? { status: 200, body: {} } : next(call)),
  })),
  'unclosed-patch-404': contract('An unclosed patch is answered with 404', MALFORMED, [op.PATCH_JOB], () => ({
    outer: refusing(404, isUnclosed),
  })),
} as const;
