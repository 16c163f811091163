import { isSuccess, mayLack } from '../../spec/index.ts';
import type { Exchange, Form, Operation } from '../../spec/index.ts';
import { ifSkipped, Skip } from '../../domain/context.ts';
import { sendValid, validRequest } from '../../domain/requests.ts';
import type { ValidRequest } from '../../domain/requests.ts';
import type { TestContext } from '../kit/context.ts';
import { defineForForms } from '../kit/define-test.ts';
import { mayBeFull } from '../kit/guaranteed.ts';
import { openSession } from '../kit/session.ts';
import { isJudgedElsewhere, reportStatus, skipIfRefusedAnyway, statusOf, wrongStatus } from './violations.ts';

const session = await openSession();

const JSON_TYPE = 'application/json';

/** The media types that are sent for media ranges. */
const CONCRETE: Readonly<Record<string, string>> = {
  'application/*+json': 'application/vnd.assay+json',
  '*/*': 'application/json',
};

/** Requirements by request media type. */
const REQUIREMENTS: Readonly<Record<string, string>> = {
  'application/json': 'content.request-json',
  'application/json-patch+json': 'content.request-json-patch',
  'text/json': 'content.request-text-json',
  'application/*+json': 'content.request-any-json',
};

for (const operation of session.contract.operations) {
  const jsonTypes = (operation.body?.content ?? []).map((each) => each.type).filter((type) => type.includes('json'));
  if (jsonTypes.length === 0) continue;
  const base = { suite: 'contract/bodies', operation };
  for (const type of jsonTypes)
    defineForForms(session, {
      ...base,
      title: `accepts a body of ${type}`,
      checks: ['request-media-types'],
      requirements: [
        REQUIREMENTS[type] ?? 'content.request-json',
        ...(type === 'application/json' ? ['versioning.content-type'] : []),
      ],
      run: (t, form) => acceptsMediaType(t, operation, form, type),
    });
  if (session.knowledge.guarantees('statuses', operation))
    defineForForms(session, {
      ...base,
      title: 'rejects malformed JSON with 400',
      checks: ['malformed-json'],
      requirements: ['errors.bad-request'],
      run: (t, form) => rejectsMalformedJson(t, operation, form),
    });
}

const UNCLOSED = '{"assay":';

async function acceptsMediaType(t: TestContext, operation: Operation, form: Form, type: string): Promise<void> {
  const sendAs = (as: string): Promise<Exchange> =>
    sendValid(t, operation, form, ({ json, ...request }) => ({
      ...request,
      body: { type: as, content: JSON.stringify(json ?? null) },
      label: `as ${as}`,
    }));
  // Many clients send this parameter, which changes nothing (RFC 8259, section 11).
  const hasCharset = t.knowledge.guarantees('statuses', operation);
  const plain = CONCRETE[type] ?? type;
  for (const concrete of [plain, ...(hasCharset ? [`${plain}; charset=utf-8`] : [])]) {
    const exchange = await sendAs(concrete);
    const status = statusOf(exchange);
    if (isSuccess(status)) continue;
    if (isJudgedElsewhere(status) || mayLack(operation, status)) return;
    if (!t.knowledge.guarantees('statuses', operation) && status !== 415) return;
    // Without another media type to compare with, only 415 blames this one: contract/operations judges other refusals.
    if (concrete === JSON_TYPE && status !== 415) return;
    if (status === 409) t.skip('the request conflicts with the state of the resource (409)');
    const asJson = concrete === JSON_TYPE ? exchange : await sendAs(JSON_TYPE);
    if (asJson !== exchange && !isSuccess(statusOf(asJson))) return;
    // A limit to the number of items, which is not documented, does not refuse every second one.
    for (const as of status === 403 ? [concrete, JSON_TYPE, concrete, JSON_TYPE] : [])
      if (isSuccess(statusOf(await sendAs(as))) !== (as === JSON_TYPE)) return;
    const refused = wrongStatus(operation, exchange, {
      code: 'request-media-types/refused',
      slug: concrete === plain ? type : type === JSON_TYPE ? 'charset' : concrete,
      requirement: REQUIREMENTS[type] ?? 'content.request-json',
      request: `a body of ${concrete}`,
      expected: `a success, since ${type} is documented`,
    });
    t.report(status === 403 ? { ...refused, exchanges: [exchange, asJson] } : refused);
    return;
  }
}

/** A valid request. Where none can be created and no parameter is required, an empty one: only its malformed body matters. */
async function requestWithAnyBody(t: TestContext, operation: Operation, form: Form): Promise<ValidRequest> {
  try {
    return await validRequest(t, operation, form);
  } catch (error) {
    if (!(error instanceof Skip) || operation.parameters.some((each) => each.in === 'path' || each.required))
      throw error;
    return { form, path: {}, query: {} };
  }
}

/** JSON parsers may be lenient, but none accepts an object that is not closed. */
async function rejectsMalformedJson(t: TestContext, operation: Operation, form: Form): Promise<void> {
  const { json, ...request } = await requestWithAnyBody(t, operation, form);
  const whole = JSON.stringify(Array.isArray(json) && json.length === 0 ? [{}] : (json ?? null));
  for (const content of [whole.slice(0, whole.lastIndexOf('}')), UNCLOSED]) {
    const body = { type: JSON_TYPE, content };
    const send = (): Promise<Exchange> =>
      t.send(operation, { ...request, body, valid: false, label: 'an object that is not closed' });
    const first = await send();
    // Other tests use the same item, and a request under way may cause a conflict.
    const exchange = statusOf(first) === 409 ? await send() : first;
    const status = statusOf(exchange);
    if (status === 400 || isJudgedElsewhere(status) || mayLack(operation, status)) continue;
    await skipIfRefusedAnyway(t, operation, form, status);
    const isDoubtful =
      mayBeFull(session, operation, exchange) && !(await isAboutBody(t, operation, form, send, status));
    reportStatus(t, operation, exchange, {
      code: 'malformed-json/status',
      served: 'malformed-json/served',
      requirement: 'errors.bad-request',
      grade: isDoubtful ? 'inferred' : undefined,
      request: 'malformed JSON',
      expected: 'status 400',
    });
  }
}

/** True where the malformed body is refused each time, and a valid one in between is served: a limit to the number of items does not do that. */
async function isAboutBody(
  t: TestContext,
  operation: Operation,
  form: Form,
  sendMalformed: () => Promise<Exchange>,
  status: number,
): Promise<boolean> {
  for (let count = 0; count < 2; count += 1) {
    if (statusOf(await sendMalformed()) !== status) return false;
    const valid = await sendValid(t, operation, form, (request) => request).catch(ifSkipped);
    if (valid === undefined || !isSuccess(statusOf(valid))) return false;
  }
  return true;
}
