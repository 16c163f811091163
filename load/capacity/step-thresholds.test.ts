import { expect, it } from 'vitest';
import { knownScenario } from '../testing/known-scenario.ts';
import { stepThresholds } from './step-thresholds.ts';

it('a search has no thresholds on the rate, which it sets', () => {
  const scenario = knownScenario({ thresholds: ['p99<1s', 'rate>100', 'rate{known}>10'] });
  expect(stepThresholds(undefined, scenario).map(({ expression }) => expression)).toEqual(['p99<1s']);
  expect(stepThresholds(['errors<1%'], scenario)).toHaveLength(1);
  expect(() => stepThresholds(['p99<1s', 'rate>300'], scenario)).toThrow('cannot meet the threshold "rate>300"');
});
