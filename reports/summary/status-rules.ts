import { changesOtherItems, isOfGateway } from '../../spec/index.ts';
import * as codes from './cause-codes.ts';
import {
  areAllOf,
  haveSameValue,
  isInFamily,
  isOfOneApi,
  isOfSpecialRequest,
  isOnOne,
  namedIn,
  sentType,
} from './relations.ts';
import type { Explains } from './relations.ts';
import { isOfEndpoint, isOfGatewayAtTimes, lastStatus } from './statuses.ts';
import type { MergedFinding } from './types.ts';

/** The subject is the status only: what matters is nothing in the request. */
const isOfAnyRequest = ({ subject = '' }: MergedFinding): boolean => /^\d+$/.test(subject);

/** The escape of half of a surrogate pair. */
const LONE_SURROGATE = /\\ud[89ab][0-9a-f]{2}(?!\\ud[c-f])/i;

/** Rules about statuses, by the situation that they describe. */
export const STATUS_RULES: Readonly<Record<string, Explains>> = {
  'a token that is not accepted': (root, symptom) => {
    const [status] = (root.subject ?? '').split(' ');
    return (
      root.code === 'valid-request-served/refused' &&
      (status === '401' || status === '403') &&
      symptom.steps.some(({ identity, response }) => identity === 'full' && String(response?.status) === status)
    );
  },

  'an operation that needs no token': (root, symptom) =>
    isOnOne(root, symptom) &&
    root.code === 'valid-request-served/without-token' &&
    symptom.code === 'valid-request-served/refused' &&
    lastStatus(root) === lastStatus(symptom),

  'an answer of a gateway that comes now and then': (root, symptom) =>
    isOfGatewayAtTimes(root) && !isOfGatewayAtTimes(symptom) && isOfGateway(lastStatus(symptom)),

  'an item that is gone because another one was deleted or changed': (root, symptom) =>
    isInFamily(root, symptom) &&
    changesOtherItems(root.code) &&
    (symptom.curlShows === 'sometimes' || symptom.recurred !== true) &&
    (lastStatus(symptom) === 404 ||
      symptom.code === 'paging-partition/items-lost' ||
      (changesOtherItems(symptom.code) && root.code === 'deleted-is-gone/other-item')),

  'a status that the full token gets as well': (root, symptom) =>
    isOnOne(root, symptom) &&
    isOfEndpoint(symptom) &&
    codes.REFUSED.includes(root.code) &&
    lastStatus(root) === lastStatus(symptom),

  'valid requests that are refused, whatever they are': (root, symptom) =>
    isOnOne(root, symptom) &&
    root.code === 'valid-request-served/refused' &&
    isOfAnyRequest(root) &&
    (symptom.check === 'overlap' ||
      (codes.WITH_A_STATUS.includes(symptom.code) &&
        (symptom.subject ?? '').split(/[ -]/).includes(root.subject ?? ''))),

  'media types that an operation refuses in the same way': (root, symptom) =>
    isOnOne(root, symptom) &&
    root.code === 'request-media-types/refused' &&
    symptom.code === root.code &&
    lastStatus(root) === lastStatus(symptom),

  'a media type that is refused, also of another body': (root, symptom) =>
    isOnOne(root, symptom) &&
    root.code === 'request-media-types/refused' &&
    (symptom.code === 'equal-json/status' ||
      (symptom.code === 'valid-request-served/refused' &&
        !isOfAnyRequest(symptom) &&
        lastStatus(root) === lastStatus(symptom) &&
        sentType(root) === sentType(symptom))),

  'a spelling of JSON or of its media type that is refused on every operation': (root, symptom) =>
    root.code === 'equal-json/status' &&
    symptom.code === 'valid-request-served/refused' &&
    lastStatus(root) === lastStatus(symptom) &&
    (symptom.subject ?? '').split(' ').includes((root.subject ?? '').split(' ').at(-1) ?? ''),

  'half of a surrogate pair that causes a server error on every operation': (root, symptom) =>
    root.code === 'no-server-error/status' &&
    symptom.code === root.code &&
    lastStatus(root) === lastStatus(symptom) &&
    (root.subject ?? '').endsWith(' escaped-lone-surrogate') &&
    LONE_SURROGATE.test(symptom.steps.at(-1)?.request.body ?? ''),

  'a server error of a generated request whose members may have any names': (root, symptom) =>
    isOnOne(root, symptom) &&
    root.code === 'no-server-error/status' &&
    symptom.code === root.code &&
    lastStatus(root) === lastStatus(symptom) &&
    !isOfSpecialRequest(root) &&
    areAllOf(symptom, 'properties') &&
    /^\d+(?: (?:\/\*)+)+$/u.test(symptom.subject ?? ''),

  'a server error of a value, also in a larger request to another operation': (root, symptom) =>
    isOfOneApi(root, symptom) &&
    root.code === 'no-server-error/status' &&
    symptom.code === root.code &&
    lastStatus(root) === lastStatus(symptom) &&
    [undefined, codes.SEVERAL_MEMBERS].includes(namedIn(symptom)[1]) &&
    haveSameValue(root, symptom),

  'a kind of valid request that is refused, and so is a generated one': (root, symptom) =>
    isOnOne(root, symptom) &&
    root.code === 'clue-accepted/refused' &&
    symptom.code === 'valid-request-served/refused' &&
    lastStatus(root) === lastStatus(symptom) &&
    areAllOf(symptom, 'properties'),

  'a token that is refused with another status, also within a sequence of calls': (root, symptom) =>
    isOnOne(root, symptom) &&
    codes.OF_TOKENS.includes(root.code) &&
    symptom.code === 'model-conformance/status' &&
    lastStatus(root) === lastStatus(symptom) &&
    symptom.steps.at(-1)?.identity !== 'full',

  'an answer that is no success shows nothing else': (root, symptom) =>
    isOnOne(root, symptom) && codes.NO_SUCCESS.includes(root.check) && symptom.check === 'published-behaviour',
};
