import type { Exchange, Form, Json, Operation } from '../../spec/index.ts';
import { isSuccess, mayLack } from '../../spec/index.ts';
import { defineTest } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import type { RequestSpec, TestContext } from '../kit/context.ts';
import { sendValid, validRequest } from '../../domain/requests.ts';

const session = await openSession();

/** What a described range is tried as. */
const CONCRETE: Readonly<Record<string, string>> = {
  'application/*+json': 'application/vnd.assay+json',
  '*/*': 'application/json',
};

/** The sentence for each documented request media type. */
const SENTENCES: Readonly<Record<string, string>> = {
  'application/json': 'content.request-json',
  'application/json-patch+json': 'content.request-json-patch',
  'text/json': 'content.request-text-json',
  'application/*+json': 'content.request-any-json',
};

for (const operation of session.contract.operations) {
  const { body } = operation;
  if (body === undefined) continue;
  const jsonTypes = body.content.filter((each) => /json/.test(each.type));
  for (const form of operation.forms) {
    for (const { type } of jsonTypes) {
      defineTest(
        session,
        {
          suite: 'contract/bodies',
          title: `a body of ${type} is accepted`,
          operation,
          form,
          checks: ['request-media-types'],
          requirements: [
            SENTENCES[type] ?? 'content.request-json',
            ...(type === 'application/json' ? ['versioning.content-type'] : []),
          ],
          effects: [operation.effect],
        },
        async (t) => {
          await tryMediaType(t, operation, form, type);
        },
      );
    }
    if (jsonTypes.length === 0) continue;
    defineTest(
      session,
      {
        suite: 'contract/bodies',
        title: 'an unclosed object is answered with 400',
        operation,
        form,
        checks: ['malformed-json'],
        requirements: ['errors.bad-request'],
        effects: [operation.effect],
      },
      async (t) => {
        const { json, ...ask } = await validRequest(t, operation, form);
        await tryUnclosed(t, operation, ask, json ?? null);
      },
    );
    defineTest(
      session,
      {
        suite: 'contract/bodies',
        title: 'odd bodies and media types bring no server error',
        operation,
        form,
        checks: ['no-server-error', 'answered'],
        requirements: ['errors.no-server-error'],
        effects: [operation.effect],
      },
      async (t) => {
        const { json: _json, ...ask } = await validRequest(t, operation, form, 'victim');
        for (const odd of ODD_BODIES) await t.send(operation, { ...ask, body: odd, label: 'an odd body' });
      },
    );
  }
}

/** Bodies that no client should send; each must be answered, and not with a 5xx. */
const ODD_BODIES: readonly NonNullable<RequestSpec['body']>[] = [
  { type: 'application/json', content: '' },
  { type: 'application/json', content: 'null' },
  { type: 'application/json', content: '"text"' },
  { type: 'application/json', content: '17' },
  { type: 'application/json', content: '{} {}' },
  { type: 'application/json', content: Uint8Array.of(0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d) },
  { type: 'application/json', content: `${'['.repeat(2000)}${']'.repeat(2000)}` },
  { type: 'application/xml', content: '<assay/>' },
  { type: 'application/x-www-form-urlencoded', content: 'assay=1' },
  { type: 'no media type', content: '{}' },
  { content: '{}' },
];

async function tryMediaType(t: TestContext, operation: Operation, form: Form, type: string): Promise<void> {
  const concrete = CONCRETE[type] ?? type;
  const sendAs = (as: string): Promise<Exchange> =>
    sendValid(t, operation, form, ({ json, ...ask }) => ({
      ...ask,
      body: { type: as, content: JSON.stringify(json ?? null) },
      label: `as ${as}`,
    }));
  const exchange = await sendAs(concrete);
  const status = exchange.response?.status ?? 0;
  if (
    isSuccess(status) ||
    status >= 500 ||
    status === 0 ||
    mayLack(operation, status) ||
    !(session.knowledge.guarantees('statuses', operation) || status === 415)
  )
    return;
  if (type !== 'application/json' && !isSuccess((await sendAs('application/json')).response?.status ?? 0)) return;
  t.report({
    check: 'request-media-types',
    requirement: SENTENCES[type] ?? 'content.request-json',
    operation,
    cause: `${type}: status ${status}`,
    message: `${operation.id} refuses a body of ${concrete} with ${status}`,
    expected: `a success: bodies are accepted as ${type}`,
    received: `status ${status}`,
    exchanges: [exchange],
  });
}

async function tryUnclosed(t: TestContext, operation: Operation, ask: RequestSpec, json: Json): Promise<void> {
  const whole = JSON.stringify(Array.isArray(json) && json.length === 0 ? [{}] : json);
  for (const content of [whole.slice(0, whole.lastIndexOf('}')), '{"assay":']) {
    const exchange = await t.send(operation, {
      ...ask,
      body: { type: 'application/json', content },
      label: 'an unclosed object',
    });
    const status = exchange.response?.status ?? 0;
    if (
      status === 400 ||
      status >= 500 ||
      status === 0 ||
      mayLack(operation, status) ||
      !session.knowledge.guarantees('statuses', operation)
    )
      continue;
    t.report({
      check: 'malformed-json',
      requirement: 'errors.bad-request',
      operation,
      cause: `unclosed object: ${isSuccess(status) ? 'served' : `status ${status}`}`,
      message: `${operation.id} answers ${status} to a body that is no JSON`,
      expected: 'status 400: the request is malformed',
      received: `status ${status}`,
      exchanges: [exchange],
    });
  }
}
