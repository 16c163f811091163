import type { Exchange, Operation } from '../../spec/index.ts';
import { isSuccess } from '../../spec/index.ts';
import { law } from '../session/law.ts';
import { openSession } from '../session/session.ts';
import type { Ask, LawBreach, Trial } from '../session/trial.ts';
import { validAsk } from '../state/ask.ts';

const session = await openSession();

/** A request that must be answered with 401, and the sentence that says so. */
interface Probe {
  readonly label: string;
  readonly requirement: string;
  readonly ask: Pick<Ask, 'identity' | 'authorization'>;
}

const PROBES: readonly Probe[] = [
  { label: 'no token', requirement: 'auth.missing', ask: { identity: 'none' } },
  { label: 'a made-up token', requirement: 'auth.invalid', ask: { identity: 'invalid' } },
  ...(session.options.tokens.expired === undefined ? [] : [{ label: 'an expired token', requirement: 'auth.expired', ask: { identity: 'expired' } } as const]),
  { label: 'a token without a scheme', requirement: 'auth.malformed-header', ask: { authorization: '$ASSAY_TOKEN' } },
  { label: 'another scheme', requirement: 'auth.malformed-header', ask: { authorization: 'Basic $ASSAY_TOKEN' } },
  { label: 'a scheme without a token', requirement: 'auth.malformed-header', ask: { authorization: 'Bearer' } },
];

for (const operation of session.contract.operations) {
  for (const form of operation.forms) {
    if (operation.permission === 'none') continue;
    law(session, {
      suite: 'contract/authentication', title: 'without a valid token it answers 401', operation, form,
      checks: ['authentication'],
      requirements: ['errors.unauthorized', 'forms.equivalent', ...PROBES.map((each) => each.requirement), ...(operation.id.includes('/vocabs/') ? ['vocabs.needs-token'] : [])],
      effects: [operation.effect],
    }, async (trial) => {
      const ask = await validAsk(trial, operation, form, roleFor(operation));
      const wrong: { probe: Probe; exchange: Exchange }[] = [];
      for (const probe of PROBES) {
        const exchange = await trial.send(operation, { ...ask, ...probe.ask, label: probe.label });
        if (exchange.response !== undefined && exchange.response.status !== 401) wrong.push({ probe, exchange });
      }
      for (const { probe, exchange } of rootsOf(wrong)) trial.report(refused(operation, probe, exchange));
    });

    if (operation.permission === 'unstated') continue;
    law(session, {
      suite: 'contract/authentication', operation, form,
      title: operation.permission === 'any' ? 'any valid token is served' : 'a token without the permission gets 403',
      checks: ['authorisation'],
      requirements: operation.permission === 'any' ? ['auth.any-token'] : ['auth.lacking-permission', 'errors.forbidden'],
      effects: [operation.effect],
    }, async (trial) => { await tryLimited(trial, operation, await validAsk(trial, operation, form, roleFor(operation))); });
  }
}

function roleFor(operation: Operation): 'shared' | 'victim' {
  return operation.method === 'GET' ? 'shared' : 'victim';
}

/** Where every probe fails alike, the missing token says it all. */
function rootsOf<T extends { exchange: Exchange }>(wrong: readonly T[]): readonly T[] {
  const alike = wrong.every((each) => each.exchange.response?.status === wrong[0]?.exchange.response?.status);
  return alike && wrong.length === PROBES.length ? wrong.slice(0, 1) : wrong;
}

function refused(operation: Operation, probe: Probe, exchange: Exchange): LawBreach {
  const status = exchange.response?.status ?? 0;
  const served = isSuccess(status);
  return {
    check: 'authentication', requirement: probe.requirement, operation,
    cause: `${probe.label}: ${served ? 'served' : status}`,
    message: served ? `${operation.id} is served with ${probe.label}` : `${operation.id} answers ${status} to ${probe.label}`,
    expected: 'status 401',
    received: `status ${status}`,
    exchanges: [exchange],
  };
}

async function tryLimited(trial: Trial, operation: Operation, ask: Ask): Promise<void> {
  if (trial.session.options.tokens.limited === undefined) trial.skip('no limited token was given (--limited-token)');
  const open = operation.permission === 'any';
  const exchange = await trial.send(operation, { ...ask, identity: 'limited', label: 'with the limited token' });
  const status = exchange.response?.status;
  if (status === undefined || (open ? isSuccess(status) : status === 403)) return;
  trial.report({
    check: 'authorisation', requirement: open ? 'auth.any-token' : 'auth.lacking-permission', operation,
    cause: isSuccess(status) ? 'served' : `status ${status}`,
    message: open
      ? `${operation.id} refuses a valid token with ${status}, though it asks for no permission`
      : `${operation.id} answers ${status} to a token that lacks ${operation.permission}`,
    expected: open ? 'a success: any valid token will do' : 'status 403',
    received: `status ${status}`,
    exchanges: [exchange],
  });
}
