import type { GeneratedRequest } from '../parameters/request.ts';

/** The invalid part of a request. */
export type Where = 'body' | 'query' | 'path' | 'header';

/** A request that violates exactly one constraint. */
export interface InvalidCase {
  readonly where: Where;
  /** JSON Pointer into the body, or `/` and the name of a parameter. */
  readonly pointer: string;
  /** The violated keyword; `json` if the body is not valid JSON. */
  readonly keyword: string;
  /** A short description. */
  readonly label: string;
  /** `certain`: every healthy deployment rejects it. `lenient`: a healthy deployment may accept it. */
  readonly certainty: 'certain' | 'lenient';
  readonly request: GeneratedRequest;
  /** The text of the body, sent instead of `request.body.value`. */
  readonly rawBody?: string;
}
