import type { Operation } from '../http/call.ts';
import { agentOperations } from './agents.ts';
import { auditOperations } from './audit.ts';
import { clueOperations, rawOperations } from './clues.ts';
import { jobOperations } from './jobs.ts';
import { policyOperations } from './policies.ts';
import { resultOperations } from './results.ts';
import { runOperations } from './runs.ts';
import { suggestOperations, vocabularyOperations } from './search.ts';
import { skillOperations } from './skills.ts';
import { statusOperations } from './status.ts';

/** Every operation of the documented API. */
export const OPERATIONS: readonly Operation[] = [
  ...policyOperations,
  ...agentOperations,
  ...jobOperations,
  ...runOperations,
  ...resultOperations,
  ...skillOperations,
  ...auditOperations,
  ...statusOperations,
  ...vocabularyOperations,
  ...suggestOperations,
  ...clueOperations,
  ...rawOperations,
];
