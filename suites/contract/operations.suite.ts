import { isSuccess } from '../../spec/index.ts';
import { isUuid } from '../session/lists.ts';
import { law } from '../session/law.ts';
import { openSession } from '../session/session.ts';
import { sendValid } from '../state/ask.ts';

const session = await openSession();

for (const operation of session.contract.operations) {
  for (const form of operation.forms) {
    law(session, {
      suite: 'contract/operations',
      title: 'a valid request is served as documented',
      operation, form,
      checks: ['answered', 'no-server-error', 'status-documented', 'valid-request-served', 'content-type-offered', 'json-well-formed', 'body-fits-schema', 'headers-declared'],
      requirements: ['forms.both-exist', 'auth.bearer', 'content.response-schema', 'content.response-type', 'content.response-well-formed', 'errors.documented-status', 'errors.success', 'versioning.responses-json'],
      effects: [operation.effect],
    }, async (trial) => {
      const exchange = await sendValid(trial, operation, form, (ask) => ({ ...ask, expect: session.contract.builtIn ? 'success' : 'any' }));
      const { response } = exchange;
      const promised = operation.responses.find((each) => each.status === '200')?.content.length ?? 0;
      if (response !== undefined && isSuccess(response.status) && response.body.length === 0 && promised > 0 && session.contract.builtIn && isItem(operation.path)) {
        trial.report({
          check: 'body-fits-schema',
          cause: 'no body for an item that exists',
          message: `${operation.id} answers ${response.status} without the item that exists`,
          expected: 'the item, as the document says',
          received: `status ${response.status}, no body`,
          exchanges: [exchange],
        });
      }
      if (operation.permission !== 'none' || !session.contract.builtIn) return;
      const alone = await trial.send(operation, { form, identity: 'none', expect: 'success', label: 'without a token' });
      if (alone.response !== undefined && !isSuccess(alone.response.status)) {
        trial.report({
          check: 'served-without-token', requirement: 'status.without-token',
          cause: `status ${alone.response.status}`,
          message: `${operation.id} is not served without a token`,
          expected: 'status 200: this one is called without an Authorization header',
          received: `status ${alone.response.status}`,
          exchanges: [alone],
        });
      }
    });
  }
}

/** True for paths that end in an id. */
function isItem(path: string): boolean {
  return path.endsWith('}') && !isUuid(path);
}
