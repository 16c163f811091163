import type { GeneratedRequest } from '../parameters/request.ts';

/** Which part of a request is wrong. */
export type Where = 'body' | 'query' | 'path' | 'header';

/** A request that breaks exactly one constraint. */
export interface InvalidCase {
  readonly where: Where;
  /** Into the body (RFC 6901), or `/` and the name of a parameter. */
  readonly pointer: string;
  /** The keyword of the schema that is broken; `json` where the body is no JSON at all. */
  readonly keyword: string;
  /** For a person: what is wrong, in a few words. */
  readonly label: string;
  /** `certain`: each deployment refuses it. `lenient`: the platform may accept it, and is not wrong to. */
  readonly certainty: 'certain' | 'lenient';
  readonly request: GeneratedRequest;
  /** The body's text, where it can't be written as a value. It goes instead of `request.body.value`. */
  readonly rawBody?: string;
}
