import { setTimeout as sleep } from 'node:timers/promises';
import { isSuccess, responseFor } from '../../spec/index.ts';
import type { Exchange, Form, Json, JsonObject, Operation, Violation } from '../../spec/index.ts';
import { idOf, itemsIn } from '../../domain/items.ts';
import { sendValid, validRequest } from '../../domain/requests.ts';
import { apartFrom, differences, differencesBetween, valuesAt } from '../kit/compare.ts';
import type { RequestSpec, TestContext } from '../kit/context.ts';
import { defineForForms } from '../kit/define-test.ts';
import { mayBeFull } from '../kit/guaranteed.ts';
import { isDocumentedAsSame, JSON_TYPE, TYPE_REQUIREMENTS } from '../kit/media-types.ts';
import { openSession } from '../kit/session.ts';
import { violationOf } from '../kit/violation.ts';
import { isJudgedElsewhere, reportStatus, statusOf } from './violations.ts';

const session = await openSession();

for (const operation of session.contract.operations) {
  const offered = responseFor(operation, 200)?.content.map((each) => each.type) ?? [];
  if (operation.method !== 'GET' && offered.length === 0) continue;
  defineForForms(session, {
    suite: 'contract/media',
    title: 'serves every documented response media type',
    operation,
    checks: ['response-media-types', 'content-type-offered', 'own-id'],
    requirements: [
      'versioning.accept',
      ...(offered.length === 0 ? [] : ['content.response-type']),
      ...offered.flatMap((each) => TYPE_REQUIREMENTS[each] ?? []),
    ],
    run: async (t, form) => {
      const isRangeServed = operation.method === 'GET' && t.knowledge.guarantees('statuses', operation);
      const ranges = isRangeServed && offered.includes(JSON_TYPE) ? [...offered, RANGE] : offered;
      const several = isRangeServed && offered.length > 0 ? [severalOf(offered)] : [];
      for (const accept of [...ranges, ...several, '*/*', undefined]) await servesMediaType(t, operation, form, accept);
      if (operation.method !== 'GET') return;
      const request = await validRequest(t, operation, form);
      for (const accept of offered.filter(isDocumentedAsSame(session.contract)))
        await hasSameContent(t, operation, { ...request, form }, accept);
      await t.send(operation, {
        ...request,
        accept: 'application/x-assay',
        valid: false,
        label: 'an unknown media type',
      });
      // Most clients accept compressed responses; the checks of single responses judge what is decoded.
      await t.send(operation, {
        ...request,
        headers: { ...request.headers, 'accept-encoding': 'gzip' },
        valid: true,
        label: 'Accept-Encoding: gzip',
      });
    },
  });
}

/** A range of media types that JSON is one of (RFC 9110, section 12.5.1). */
const RANGE = 'application/*';

/** All offered types in one header, the later ones with smaller weights, as many clients send them (RFC 9110, section 12.4.2). */
const severalOf = (offered: readonly string[]): string =>
  offered.map((type, index) => (index === 0 ? type : `${type};q=${(1 / (index + 1)).toFixed(1)}`)).join(', ');

/**
 * Compares the JSON of a media type with that of application/json. Where it differs, both are read again after the settle time, and
 * application/json once more: what has changed until then differs because others work with it, or because a cache keeps it for a while.
 * Of a list that has other items in each read, whatever the type, only the members of common items are compared.
 */
async function hasSameContent(t: TestContext, operation: Operation, request: RequestSpec, type: string): Promise<void> {
  await t.holds(async (t) => {
    const read = (accept: string, again = ''): Promise<Exchange> =>
      t.send(operation, { ...request, accept, valid: true, label: `as ${accept}${again}` });
    const readBoth = async (again?: string): Promise<readonly [Exchange, Exchange]> => [
      await read(JSON_TYPE, again),
      await read(type, again),
    ];
    const [plain, other] = await readBoth();
    if (![plain, other].every(isJson) || differ(plain, other).length === 0) return undefined;
    await sleep(t.settleMs);
    const [plainAgain, otherAgain] = await readBoth(' again');
    if (![plainAgain, otherAgain].every(isJson)) return undefined;
    const changing = findChangingIds(operation, plain, plainAgain);
    if (changing !== undefined) return changing;
    const last = await read(JSON_TYPE, ' once more');
    if (!isJson(last)) return undefined;
    const volatile = [...differ(plain, plainAgain), ...differ(other, otherAgain), ...differ(plainAgain, last)];
    const different = apartFrom(differ(plainAgain, otherAgain), volatile);
    const isStable = haveSameIds(plainAgain, last);
    const pointer = different.find((each) => isStable || each.lastIndexOf('/') > 0);
    if (pointer === undefined) return undefined;
    const { expected, received } = valuesAt(...comparable(plainAgain, otherAgain), pointer);
    return violationOf('response-media-types/content', operation, {
      subject: type,
      requirement: TYPE_REQUIREMENTS[type],
      message: `${operation.id} returns different content as ${type} than as ${JSON_TYPE}`,
      expected: `${expected}, as in ${JSON_TYPE}`,
      received,
      exchanges: [plainAgain, otherAgain],
    });
  });
}

/** Ids of which none is in the response before. */
function findChangingIds(operation: Operation, before: Exchange, after: Exchange): Violation | undefined {
  const [ids, others] = [before, after].map((each) => Object.keys(byId(each) ?? {}));
  if (ids === undefined || others === undefined || ids.length < 2 || ids.length !== others.length) return undefined;
  if (others.some((id) => ids.includes(id))) return undefined;
  return violationOf('own-id/changing', operation, {
    grade: 'inferred',
    expected: `the ids of the ${ids.length} items as before`,
    received: `${ids.length} other ids`,
    exchanges: [before, after],
  });
}

const haveSameIds = (one: Exchange, two: Exchange): boolean => {
  const [ids, others] = [one, two].map((each) =>
    Object.keys(byId(each) ?? {})
      .toSorted()
      .join(),
  );
  return ids === others;
};

const isJson = ({ response }: Exchange): boolean => isSuccess(response?.status ?? 0) && response?.json !== undefined;

/** Where two responses differ; the items of lists are compared by their ids, since others may add and remove some. */
function differ(one: Exchange, two: Exchange): readonly string[] {
  const [a, b] = [byId(one), byId(two)];
  return a === undefined || b === undefined
    ? differencesBetween(session.contract, one, two)
    : differences(a, b, () => undefined);
}

/** What the pointers of {@link differ} are into. */
function comparable(one: Exchange, two: Exchange): readonly [Json | undefined, Json | undefined] {
  const [a, b] = [byId(one), byId(two)];
  return a === undefined || b === undefined ? [one.response?.json, two.response?.json] : [a, b];
}

/** The items of a list by their ids, as far as they have some; undefined for another response. */
function byId(exchange: Exchange): JsonObject | undefined {
  const entries = (itemsIn(exchange) ?? []).flatMap((item) => {
    const id = idOf(item);
    return id === undefined ? [] : [[id, item] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** `accept` undefined: the request has no Accept header, which is only recommended. */
async function servesMediaType(
  t: TestContext,
  operation: Operation,
  form: Form,
  accept: string | undefined,
): Promise<void> {
  const header: RequestSpec = accept === undefined ? { headers: { accept: undefined } } : { accept };
  const description = accept === undefined ? 'a request without Accept' : `Accept: ${accept}`;
  const send = (): Promise<Exchange> =>
    sendValid(t, operation, form, (each) => ({ ...each, ...header, label: description }));
  const exchange = await send();
  const status = statusOf(exchange);
  if (isSuccess(status) || isJudgedElsewhere(status) || mayBeFull(session, operation, exchange)) return;
  if (!t.knowledge.guarantees('statuses', operation) && status !== 406) return;
  const plain = await sendValid(t, operation, form, (each) => ({ ...each, label: 'with Accept: application/json' }));
  if (!isSuccess(statusOf(plain))) return;
  // A refusal now and then has another cause.
  if (statusOf(await send()) !== status) return;
  const reason =
    accept === RANGE
      ? `which ${JSON_TYPE} fits`
      : accept === undefined || accept === '*/*'
        ? 'since Accept is optional'
        : accept.includes(',')
          ? 'since these types are documented'
          : `since ${accept} is documented`;
  reportStatus(t, operation, exchange, {
    code: 'response-media-types/refused',
    slug: accept?.includes(',') === true ? 'several' : (accept ?? 'no-accept'),
    requirement: TYPE_REQUIREMENTS[accept?.split(',')[0] ?? ''] ?? 'versioning.accept',
    // Only the types themselves are documented.
    grade: accept === RANGE ? 'inferred' : undefined,
    request: description,
    expected: `a success, ${reason}`,
  });
}
