import { Agents } from './agents.ts';
import { AuditLog } from './audit.ts';
import { Clues } from './clues.ts';
import { Jobs } from './jobs.ts';
import { Policies } from './policies.ts';
import { createRandom } from './random.ts';
import type { Random } from './random.ts';
import { Runner } from './runs.ts';
import { seedWorld } from './seed.ts';
import { NO_JOURNAL, Table } from './table.ts';
import type { Journal } from './table.ts';
import { Vocabulary } from './vocabulary.ts';

/** The state of the service. */
export interface World {
  readonly policies: Policies;
  readonly agents: Agents;
  readonly jobs: Jobs;
  readonly runner: Runner;
  readonly clues: Clues;
  readonly vocabulary: Vocabulary;
  readonly audit: AuditLog;
  readonly random: Random;
  readonly journal: Journal;
}

/** Restores the state from the journal, or creates the initial data. */
export function createWorld(seed: number, journal: Journal = NO_JOURNAL): World {
  const lives = new Table<number>('lives', journal);
  const life = (lives.get('count') ?? 0) + 1;
  lives.set('count', life);
  const random = createRandom(seed, life);
  const jobs = new Jobs(journal);
  const world: World = {
    policies: new Policies(journal),
    agents: new Agents(journal),
    jobs,
    runner: new Runner(jobs, seed),
    clues: new Clues(journal),
    vocabulary: new Vocabulary(journal),
    audit: new AuditLog(journal, random),
    random,
    journal,
  };
  if (life === 1) seedWorld(world);
  world.runner.resume();
  return world;
}
