import type { GeneratedRequest } from '../parameters/request.ts';

/** A request that violates exactly one constraint. */
export interface InvalidCase {
  /** JSON Pointer into the body, or `/` and the name of a parameter. */
  readonly pointer: string;
  /** The violated keyword; `json` if the body is not valid JSON. */
  readonly keyword: string;
  /** A short description. */
  readonly label: string;
  readonly request: GeneratedRequest;
  /** The text of the body, sent instead of `request.body.value`. */
  readonly rawBody?: string;
}
