import type { BodyPool } from './body-pool.ts';
import type { PreparedScenario, Scenario, ScenarioContext, ScenarioRequest } from './scenario.ts';

const POOL = 1000;
const CLUE = 'POST /clue';
const RAW = 'POST /admin/entity/ProcessClue';

/** Where the bodies of a kind are sent. */
type Destination = Pick<ScenarioRequest, 'operation' | 'form' | 'path'>;

type Posts = Required<Pick<PreparedScenario, 'requests' | 'fieldWidth'>>;

/** POST requests with the bodies of a pool. */
export function posts(context: ScenarioContext, { bodies, fieldWidth }: BodyPool, to: Destination): Posts {
  context.operation(to.operation);
  return { requests: bodies.map(({ bytes, fields }) => ({ ...to, method: 'POST', body: bytes, fields })), fieldWidth };
}

const INGESTION = {
  effects: ['irreversible'],
  thresholds: ['p99<500ms', 'errors<0.1%', 'violations==0'],
  rate: 200,
  uses: ['bodyBytes'],
} as const satisfies Partial<Scenario>;

/** Clues, each with its own origin code. */
export const clueIngestion: Scenario = {
  ...INGESTION,
  name: 'clue-ingestion',
  title: 'Posts clues, every body unique.',
  operations: [CLUE],
  setup: async (context) =>
    posts(context, context.pool('clue', POOL), { operation: CLUE, form: '/api/v1', path: '/api/v1/clue?save=true' }),
};

/** Raw JSON records, each with its own id. */
export const rawIngestion: Scenario = {
  ...INGESTION,
  name: 'raw-ingestion',
  title: 'Posts raw JSON for conversion, every body unique.',
  operations: [RAW],
  setup: async (context) =>
    posts(context, context.pool('raw', POOL), { operation: RAW, form: '/api', path: '/api/admin/entity/ProcessClue' }),
};
