import type { Operation } from '../../../spec/index.ts';
import type { Trial } from '../../session/trial.ts';
import type { Case } from '../hunt/case.ts';
import { exchangeFlaws } from '../hunt/flaw.ts';
import { sendCase } from './stage.ts';
import type { Outcome, Stage } from './stage.ts';

/** Sends a case and lets the checks of single exchanges judge the answer. */
export async function tryServed(trial: Trial, operation: Operation, value: Case, stage: Stage): Promise<Outcome> {
  const exchange = await sendCase(trial, operation, value, stage);
  return { exchange, flaws: exchangeFlaws(trial.session, operation, exchange, value.served === true ? 'success' : 'any') };
}
