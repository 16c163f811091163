import type { Scenario, ScenarioRequest } from './scenario.ts';

const OPERATION = 'POST /admin/entity/ProcessClue';
const POOL = 1000;

/** Raw JSON records, each with its own id. */
export const rawIngestion: Scenario = {
  name: 'raw-ingestion',
  title: 'Posts raw JSON for conversion, every body unique.',
  effects: ['irreversible'],
  thresholds: ['p99<500', 'errors<0.1%', 'violations==0'],
  rate: 200,
  uses: ['bodyBytes'],
  async setup(context) {
    context.operation(OPERATION);
    const { bodies, fieldWidth } = context.pool('raw', POOL);
    const requests = bodies.map(({ bytes, fields }): ScenarioRequest => ({
      operation: OPERATION,
      form: '/api',
      method: 'POST',
      path: '/api/admin/entity/ProcessClue',
      body: bytes,
      fields,
    }));
    return { requests, fieldWidth };
  },
};
