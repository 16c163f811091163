import { changesOtherItems, isOfGateway } from '../../spec/index.ts';
import type { FindingCode } from '../../spec/index.ts';
import * as codes from './cause-codes.ts';
import {
  areAllOf,
  haveOneStatus,
  haveSameValue,
  isInFamily,
  isOfOneApi,
  isOfSpecialRequest,
  isOnOne,
  namedIn,
  rule,
  sentType,
} from './relations.ts';
import type { Explains } from './relations.ts';
import { isOfEndpoint, isOfGatewayAtTimes, lastStatus } from './statuses.ts';
import type { MergedFinding } from './types.ts';

/** The subject is the status only: what matters is nothing in the request. */
const isOfAnyRequest = ({ subject = '' }: MergedFinding): boolean => /^\d+$/.test(subject);

/** The query of the last request of a read; empty where it has none. */
const queryIn = ({ operation, steps }: MergedFinding): string =>
  operation.startsWith('GET ') ? (steps.at(-1)?.request.url.split('?')[1] ?? '') : '';

/** The escape of half of a surrogate pair. */
const LONE_SURROGATE = /\\ud[89ab][0-9a-f]{2}(?!\\ud[c-f])/i;

const SERVER_ERROR = 'no-server-error/status' satisfies FindingCode;

/** Rules about statuses. */
export const STATUS_RULES: readonly Explains[] = [
  // A token that is not accepted.
  (root, symptom) => {
    const [status = ''] = (root.subject ?? '').split(' ');
    return (
      root.code === 'valid-request-served/refused' &&
      ['401', '403'].includes(status) &&
      symptom.steps.some(({ identity, response }) => identity === 'full' && String(response?.status) === status)
    );
  },
  // An operation that needs no token.
  rule(isOnOne, 'valid-request-served/without-token', 'valid-request-served/refused', haveOneStatus),
  // An answer of a gateway that comes now and then.
  (root, symptom) => isOfGatewayAtTimes(root) && !isOfGatewayAtTimes(symptom) && isOfGateway(lastStatus(symptom)),
  // An item that is gone because another one was deleted or changed.
  (root, symptom) =>
    isInFamily(root, symptom) &&
    changesOtherItems(root.code) &&
    (symptom.curlShows === 'sometimes' || symptom.recurred !== true) &&
    (lastStatus(symptom) === 404 ||
      symptom.code === 'paging-partition/items-lost' ||
      (changesOtherItems(symptom.code) && root.code === 'deleted-is-gone/other-item')),
  // A status that the full token gets as well.
  rule(isOnOne, codes.REFUSED, codes.OF_TOKENS, (a, b) => isOfEndpoint(b) && haveOneStatus(a, b)),
  rule(isOnOne, codes.REFUSED, 'authorisation/refused', haveOneStatus),
  // Valid requests that are refused, whatever they are.
  rule(isOnOne, 'valid-request-served/refused', ['overlap', ...codes.WITH_A_STATUS], (root, symptom) => {
    const words = (symptom.subject ?? '').split(/[ -]/);
    return isOfAnyRequest(root) && (symptom.check === 'overlap' || words.includes(root.subject ?? ''));
  }),
  // Media types that an operation refuses in the same way.
  rule(isOnOne, 'request-media-types/refused', 'request-media-types/refused', haveOneStatus),
  // A media type that is refused, also of another body.
  rule(isOnOne, 'request-media-types/refused', 'equal-json/status'),
  rule(isOnOne, 'request-media-types/refused', 'valid-request-served/refused', (root, symptom) => {
    return !isOfAnyRequest(symptom) && haveOneStatus(root, symptom) && sentType(root) === sentType(symptom);
  }),
  // A spelling of JSON or of its media type that is refused on every operation.
  rule(haveOneStatus, 'equal-json/status', 'valid-request-served/refused', (root, symptom) =>
    (symptom.subject ?? '').split(' ').includes((root.subject ?? '').split(' ').at(-1) ?? ''),
  ),
  // Half of a surrogate pair that causes a server error on every operation.
  rule(haveOneStatus, SERVER_ERROR, SERVER_ERROR, ({ subject = '' }, { steps }) => {
    return subject.endsWith(' escaped-lone-surrogate') && LONE_SURROGATE.test(steps.at(-1)?.request.body ?? '');
  }),
  // A server error of a generated request whose members may have any names.
  rule(isOnOne, SERVER_ERROR, SERVER_ERROR, (root, symptom) => {
    const hasAnyNames = /^\d+(?: (?:\/\*)+)+$/u.test(symptom.subject ?? '') && areAllOf(symptom, 'properties');
    return haveOneStatus(root, symptom) && !isOfSpecialRequest(root) && hasAnyNames;
  }),
  // A server error of a value, also in a larger request to another operation.
  rule(isOfOneApi, SERVER_ERROR, SERVER_ERROR, (root, symptom) => {
    const namesNone = [undefined, codes.SEVERAL_MEMBERS].includes(namedIn(symptom)[1]);
    return haveOneStatus(root, symptom) && namesNone && haveSameValue(root, symptom);
  }),
  // A server error of a query, also on another operation.
  rule(haveOneStatus, SERVER_ERROR, SERVER_ERROR, (root, symptom) => {
    return root.operation < symptom.operation && queryIn(root) !== '' && queryIn(root) === queryIn(symptom);
  }),
  // A kind of valid request that is refused, and so is a generated one.
  rule(isOnOne, 'clue-accepted/refused', 'valid-request-served/refused', (root, symptom) => {
    return haveOneStatus(root, symptom) && areAllOf(symptom, 'properties');
  }),
  // A token that is refused with another status, also within a sequence of calls.
  rule(isOnOne, codes.OF_TOKENS, 'model-conformance/status', (root, symptom) => {
    return haveOneStatus(root, symptom) && symptom.steps.at(-1)?.identity !== 'full';
  }),
  // An answer that is no success shows nothing else.
  rule(isOnOne, codes.NO_SUCCESS, 'published-behaviour'),
];
