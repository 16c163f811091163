/** What is known of one thing that was created: a policy, an agent or a job. */
export interface Known {
  readonly there: boolean;
  /** Which of the bodies that were sent it holds. */
  readonly content: string;
  /** Policies only. Undefined: section 3 does not show the initial state, and nothing has told yet. */
  readonly active?: boolean | undefined;
  /** Jobs only: runs that were queued. */
  readonly runs?: number;
}

/** Section 7, 404: the resource does not exist. What is deleted stays deleted. */
export const NOT_THERE = '7 Errors, 404';

/** Section 4: every operation that is shown answers 200; section 7 knows 201 for what creates. */
export const SUCCESS = [200, 201, 204] as const;
