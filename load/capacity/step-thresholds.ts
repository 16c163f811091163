import { usageError } from '../../spec/index.ts';
import type { Scenario } from '../scenarios/index.ts';
import { parseThresholds } from '../thresholds.ts';
import type { Threshold } from '../thresholds.ts';

const isOfRate = ({ metric }: Threshold): boolean => metric === 'rate';

/** Parses thresholds for a search; throws an AssayError (exit code 2) for one on the rate, which the steps set. */
export function parseStepThresholds(expressions: readonly string[]): Threshold[] {
  const thresholds = parseThresholds(expressions);
  const ofRate = thresholds.find(isOfRate);
  if (ofRate === undefined) return thresholds;
  throw usageError(
    `The search looks for the rate: it cannot meet the threshold "${ofRate.expression}" in every step.`,
    `Omit it. To check one rate, use assay load, which offers what "${ofRate.expression}" demands.`,
  );
}

/** The thresholds of each step: those of the user, or those of the scenario that are not on the rate. */
export function stepThresholds(given: readonly string[] | undefined, scenario: Scenario): readonly Threshold[] {
  if (given !== undefined) return parseStepThresholds(given);
  return parseThresholds(scenario.thresholds).filter((threshold) => !isOfRate(threshold));
}
