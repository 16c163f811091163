import type { Scenario, ScenarioRequest } from './scenario.ts';

const POOL = 1000;

/** Clues, each with its own origin code. */
export const clueIngestion: Scenario = {
  name: 'clue-ingestion',
  title: 'Posts clues, every body unique.',
  effects: ['irreversible'],
  thresholds: ['p99<500', 'errors<0.1%', 'violations==0'],
  rate: 200,
  uses: ['bodyBytes'],
  async setup(context) {
    context.operation('POST /clue');
    const { bodies, fieldWidth } = context.pool('clue', POOL);
    const requests = bodies.map(({ bytes, fields }): ScenarioRequest => ({
      operation: 'POST /clue',
      form: '/api/v1',
      method: 'POST',
      path: '/api/v1/clue?save=true',
      body: bytes,
      fields,
    }));
    return { requests, fieldWidth };
  },
};
