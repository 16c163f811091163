import type { Exchange, Form, Operation } from '../../spec/index.ts';
import { isSuccess, responseFor } from '../../spec/index.ts';
import { defineTest } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import type { RequestSpec, TestContext } from '../kit/context.ts';
import { sendValid, validRequest } from '../../domain/requests.ts';

const session = await openSession();

/** The sentence for each offered response media type. */
const SENTENCES: Readonly<Record<string, string>> = {
  'application/json': 'content.response-json',
  'text/json': 'content.response-text-json',
  'text/plain': 'content.response-text-plain',
};

for (const operation of session.contract.operations) {
  const offered = responseFor(operation, 200)?.content.map((each) => each.type) ?? [];
  if (operation.method !== 'GET' && offered.length === 0) continue;
  for (const form of operation.forms) {
    defineTest(
      session,
      {
        suite: 'contract/media',
        title: 'each offered media type can be asked for',
        operation,
        form,
        checks: ['response-media-types', 'content-type-offered'],
        requirements: [
          'versioning.accept',
          'content.response-type',
          ...offered.flatMap((each) => SENTENCES[each] ?? []),
        ],
        effects: [operation.effect],
      },
      async (t) => {
        for (const accept of [...offered, '*/*', undefined]) await tryAccept(t, operation, form, accept);
        if (operation.method === 'GET')
          await t.send(operation, {
            ...(await validRequest(t, operation, form)),
            accept: 'application/x-assay',
            label: 'a type that nobody offers',
          });
      },
    );
  }
}

async function tryAccept(t: TestContext, operation: Operation, form: Form, accept: string | undefined): Promise<void> {
  const asked = accept === undefined ? 'no Accept' : `Accept: ${accept}`;
  const wish: RequestSpec = accept === undefined ? { headers: { accept: undefined } } : { accept };
  const exchange = await sendValid(t, operation, form, (ask) => ({ ...ask, ...wish, label: asked }));
  const status = exchange.response?.status ?? 0;
  if (
    isSuccess(status) ||
    status >= 500 ||
    status === 0 ||
    !(session.knowledge.guarantees('statuses', operation) || status === 406)
  )
    return;
  const plain = await sendValid(t, operation, form, (ask) => ({ ...ask, label: 'with Accept: application/json' }));
  if (!isSuccess(plain.response?.status ?? 0)) return;
  t.report({
    check: 'response-media-types',
    requirement: SENTENCES[accept ?? ''] ?? 'versioning.accept',
    operation,
    cause: `${asked}: status ${status}`,
    message: `${operation.id} answers ${status} to ${asked}`,
    expected:
      accept === undefined || accept === '*/*'
        ? 'a success: Accept is recommended, not needed'
        : `a success: ${accept} is offered`,
    received: received(exchange),
    exchanges: [exchange],
  });
}

function received(exchange: Exchange): string {
  return `status ${exchange.response?.status ?? 'none'}`;
}
