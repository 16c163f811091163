import type { CheckName, FindingCode } from '../../spec/index.ts';

const checks = (...names: readonly CheckName[]): readonly string[] => names;
const codes = (...names: readonly FindingCode[]): readonly string[] => names;

/** Checks of pages whatever items they hold. */
export const OF_PAGE_RULES = checks('paging-base', 'paging-defaults', 'paging-past-end');

const OF_PAGES: readonly string[] = [...checks('paging-partition'), ...OF_PAGE_RULES];

/** Checks whose finding on a list explains the findings that {@link EXPLAINED_BY_PAGES} names on the same list. */
export const PAGE_ROOTS = checks('paging-partition', 'paging-base');

/** Checks and codes that depend on reading all pages of a list: items that are lost there are not found elsewhere. */
export const EXPLAINED_BY_PAGES: readonly string[] = [
  ...OF_PAGES,
  ...codes(
    'filters/not-found',
    'filters/lost-on-next-page',
    'filters/lost-on-page',
    'ordering/sort-direction',
    'query-styles/parameter-order',
  ),
];

/** Findings of an operation that ignores an id of its path, the clearest first. */
export const IGNORED_ID = codes(
  'own-id/other',
  'job-ownership/other-job',
  'job-ownership/other-run',
  'job-ownership/same-content',
  'unknown-id/status',
  'malformed-id/status',
  'deleted-is-gone/served',
  'deleted-is-gone/status',
);

/** Codes of ids that should be answered with a refusal of their own. */
export const WRONG_IDS = codes('unknown-id/status', 'malformed-id/status');

/** Codes of what a list does not show. */
export const NOT_SHOWN = codes(
  'activation/not-active',
  'activation/not-inactive',
  'filters/not-found',
  'model-conformance/state',
  'paging-partition/items-lost',
  'paging-partition/items-missing',
  'updated-reads-back/not-listed',
);

/** Checks of a list that fail if it shows other items than its own. */
export const OF_LISTS: readonly string[] = [...OF_PAGES, ...checks('ordering', 'filters', 'published-behaviour')];

/** Codes with one cause per operation, whatever the request. */
export const ONE_PER_OPERATION = codes(
  'audit-log/no-entry',
  'content-type-offered/media-type',
  'content-type-offered/not-as-asked',
  'response-media-types/content',
  'overlap/lost-update',
  'overlap/not-linearizable',
  'overlap/read',
);

/** Kinds of unknown ids, in subjects, that differ from a random one. */
export const SPECIAL_IDS: readonly string[] = ['nil', 'other-kind'];

/** Codes of creations that return one id for two items. */
export const SAME_ID = codes('created-reads-back/same-id', 'overlap/same-id');

/** Checks of single changes: what fails there also fails in sequences. */
export const SINGLE_CHANGES = checks(
  'created-reads-back',
  'updated-reads-back',
  'deleted-is-gone',
  'activation',
  'processing-order',
  'approvals',
  'job-runs',
  'json-patch',
  'own-id',
);

/** Checks whose violations need no overlapping calls: what fails there also fails in overlapping calls. */
export const ALONE: readonly string[] = [...SINGLE_CHANGES, ...checks('refused-changes-nothing', 'model-conformance')];

/** Subjects of a wrong state of an item, in the two lists that show it. */
export const WRONG_STATES: readonly (readonly string[])[] = [
  ['listed-active', 'not-listed-inactive'],
  ['listed-inactive', 'not-listed-active'],
];

/** An order that is not returned as it was set. */
export const SET_ORDER = codes(
  'processing-order/not-as-set',
  'processing-order/lacks-policy',
  'processing-order/extra-policy',
);

/** Checks of a read that fail if it returns the response of another read. */
export const OF_READS = checks(
  'valid-request-served',
  'content-type-offered',
  'form-equivalence',
  'form-shared-state',
  'model-conformance',
  'overlap',
);

/** Checks that compare stored values with those that were sent. */
export const STORAGE = checks('created-reads-back', 'updated-reads-back');

/** Checks that read an item after a change. */
export const CHANGED = checks('updated-reads-back', 'json-patch', 'model-conformance');

/** Codes of values that are not lost, but stored in another way. */
export const OTHERWISE_STORED = codes(
  'created-reads-back/respelled',
  'updated-reads-back/respelled',
  'updated-reads-back/kept-key',
);

/** Codes of requests that must be refused: they say nothing about valid ones. */
export const OF_REFUSALS = codes('json-patch/not-atomic', 'json-patch/served', 'json-patch/status');

/** The subjects of requests without a token, and with a token that nobody issued. */
export const NO_TOKEN = 'no-token';
export const ANY_TOKEN = 'invalid-token';

/** Codes of states that lists do not show. */
export const LISTED_STATES = codes('activation/not-active', 'activation/not-inactive');

/** The subject of an order that each page has, but not all of them together. */
export const OF_PAGES_TOGETHER = 'pages';

/** The subjects of requests with a valid token that lacks its end, or has more text. */
export const SHORTER_TOKEN = 'shortened-token';
export const LONGER_TOKEN = 'lengthened-token';

/** The subject of a request whose header has a scheme and no token. */
export const NO_VALUE = 'no-value';

/** The subject of a finding about more members than it can name. */
export const SEVERAL_MEMBERS = 'several-members';

/** The second code follows from the first. */
export const PAIRS: readonly (readonly [root: FindingCode, symptom: FindingCode])[] = [
  ['created-reads-back/not-readable', 'created-reads-back/not-listed'],
  ['created-reads-back/member', 'created-reads-back/listed-member'],
  ['created-reads-back/member', 'created-reads-back/response'],
  ['updated-reads-back/not-readable', 'updated-reads-back/not-listed'],
  ['updated-reads-back/member', 'updated-reads-back/listed-member'],
  ['updated-reads-back/member', 'updated-reads-back/response'],
  ['deleted-is-gone/readable', 'deleted-is-gone/listed'],
  ['deleted-is-gone/readable', 'form-shared-state/deleted-still-readable'],
];

/** Codes of refusals whose subject ends with the status. */
export const WITH_A_STATUS = codes(
  'valid-request-served/member-refused',
  'request-media-types/refused',
  'response-media-types/refused',
  'model-conformance/status',
  'equal-json/status',
  'form-equivalence/status',
);

/** Codes of wrong statuses for requests without a token, or with one that is not sufficient. */
export const OF_TOKENS = codes('authentication/status', 'authorisation/status');

/** Codes of requests that have the full token, or any, and are refused whatever they are. */
export const REFUSED = codes(
  'valid-request-served/refused',
  'request-media-types/refused',
  'response-media-types/refused',
  'no-server-error/status',
);

/** Codes of valid requests that are refused for what they contain; the subject tells which kind of request. */
export const REFUSED_KINDS = codes('clue-accepted/refused', 'valid-request-served/refused');

/** Codes of patches that are accepted and not applied as they say; the subject tells which operations they have. */
export const APPLIED_WRONGLY = codes('json-patch/result', 'json-patch/response');

/** Codes of items that are not found by their names. */
export const WITHOUT_NAME = codes('created-reads-back/not-readable', 'filters/not-found');

/** Checks that fail if a response is not JSON. */
export const EXPLAINED_BY_MALFORMED = checks(
  'created-reads-back',
  'updated-reads-back',
  'form-equivalence',
  'response-media-types',
  'equal-json',
  'body-fits-schema',
  'model-conformance',
);

/** Checks of the body of a single response. */
export const BODY_CHECKS = checks('content-type-offered', 'json-well-formed', 'body-fits-schema');

/** Checks that fail if a valid request is not successful. */
export const NO_SUCCESS = checks('status-documented', 'valid-request-served');

/** Checks that read an item after something was done to it. */
export const READ_AGAIN = checks(
  'created-reads-back',
  'updated-reads-back',
  'form-shared-state',
  'json-patch',
  'overlap',
  'refused-changes-nothing',
  'model-conformance',
);
