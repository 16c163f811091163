import type { Chat, JobHistory, Result, ResultState, Run } from '../model/run.ts';
import type { Job } from '../model/job.ts';
import { createRandom } from './random.ts';
import type { Random } from './random.ts';

/** Result types, results per run, and their initial states in rotation. */
const YIELD: readonly { type: string; count: number; states: readonly ResultState[] }[] = [
  { type: 'GoldenRecordUpdate', count: 12, states: ['Pending'] },
  { type: 'DataQualityRule', count: 5, states: ['Pending', 'Pending', 'Approved'] },
  { type: 'GlossaryTerm', count: 4, states: ['Pending', 'Rejected'] },
];
const CHATS = 12;
/** The first chats of a run have results, the others have none. */
const CHATS_WITH_RESULTS = 8;

const SUBJECTS = ['customer', 'supplier', 'employee', 'product', 'invoice', 'address', 'contract', 'site'];
const REMARKS = ['has no postal code', 'is a duplicate', 'has an outdated phone number', 'has two spellings'];

function pick<T>(random: Random, choices: readonly T[]): T {
  return choices[random.below(choices.length)] as T;
}

/** The chats and results of a run: the same for the same seed, job and run number. */
export function outcomeOf(seed: number, job: Job, run: Run, ordinal: number): Omit<JobHistory, 'runs'> {
  const random = createRandom(seed, job.ordinal, ordinal);
  const createdAt = new Date().toISOString();
  const chats = Array.from({ length: CHATS }, (_, index) => makeChat(random, job, run, index));
  const results = YIELD.flatMap(({ type, count, states }) =>
    Array.from({ length: count }, (_, index): Result => {
      const chat = chats[index % CHATS_WITH_RESULTS] as Chat;
      chat.resultCount++;
      const state = states[index % states.length] as ResultState;
      return makeResult(random, chat, { type, state, createdAt });
    }),
  );
  return { chats, results };
}

function makeChat(random: Random, job: Job, run: Run, index: number): Chat {
  const subject = pick(random, SUBJECTS);
  return {
    id: random.uuid(),
    runId: run.id,
    sequenceId: index + 1,
    input: job.prompt ?? `Review ${subject} ${random.below(1000)}.`,
    output: `The ${subject} ${pick(random, REMARKS)}.`,
    inputTokens: 100 + random.below(900),
    outputTokens: 20 + random.below(200),
    resultCount: 0,
  };
}

interface ResultPlan {
  readonly type: string;
  readonly state: ResultState;
  readonly createdAt: string;
}

function makeResult(random: Random, chat: Chat, plan: ResultPlan): Result {
  const subject = pick(random, SUBJECTS);
  return {
    id: random.uuid(),
    runId: chat.runId,
    chatId: chat.id,
    description: `The ${subject} ${pick(random, REMARKS)}.`,
    type: plan.type,
    createdAt: plan.createdAt,
    approvedEntityDetails: null,
    model: { subject, confidence: random.below(100) / 100, proposals: [pick(random, REMARKS)] },
    status: 'Completed',
    state: plan.state,
    modifiedAt: null,
    modifiedBy: null,
  };
}
