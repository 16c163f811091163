import { anything, int32, list, nullable, record, text, uuid } from './shape.ts';

export type RunStatus = 'Queued' | 'Running' | 'Completed';

/** Names of RunTypeFilter. */
export const RUN_TYPES = ['Normal', 'TestRun', 'All'] as const;
export const SORT_DIRECTIONS = ['Ascending', 'Descending'] as const;

export interface Run {
  id: string;
  jobProgressId: string;
  dryRun: boolean;
  state: RunStatus;
  startedAt: string;
  completedAt: string | null;
  createdBy: string;
  /** The job as it was when the run was queued. */
  jobDetail: Readonly<Record<string, unknown>>;
}

export interface Chat {
  id: string;
  runId: string;
  sequenceId: number;
  input: string;
  output: string;
  inputTokens: number;
  outputTokens: number;
  resultCount: number;
}

export type ResultState = 'Pending' | 'Approved' | 'Rejected';

export interface Result {
  id: string;
  runId: string;
  chatId: string;
  description: string;
  type: string;
  createdAt: string;
  approvedEntityDetails: unknown;
  model: unknown;
  status: string;
  state: ResultState;
  modifiedAt: string | null;
  modifiedBy: string | null;
}

/** The runs of a job with their chats and results, stored together by job id. */
export interface JobHistory {
  runs: Run[];
  chats: Chat[];
  results: Result[];
}

const action = int32(0, 1);
const patchOperation = record({ op: text, path: text, from: nullable(text), value: anything }, ['op', 'path']);

export interface Approval {
  results: { resultId?: string; userOverride?: readonly unknown[] | null }[];
  action: number;
}

export const approvalShape = record(
  { results: list(record({ resultId: uuid, userOverride: nullable(list(patchOperation)) })), action },
  ['results', 'action'],
);

export const bulkApprovalShape = record({ action }, ['action']);

export const patchShape = list(patchOperation);

export const APPROVAL_STATES: readonly ResultState[] = ['Approved', 'Rejected'];
