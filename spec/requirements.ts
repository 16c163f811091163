/**
 * How sure a promise is: `documented` (api.md states it; a violation fails the run), `published` or `inferred`
 * (known from elsewhere; a violation warns, `--strict` fails), `unspecified` (observed and reported only).
 */
export type Grade = 'documented' | 'published' | 'inferred' | 'unspecified';

/** One sentence of the API document that can be true or false of a deployment. */
export interface Requirement {
  /** Dotted kebab-case, for example `paging.take-default`. */
  readonly id: string;
  /** Section of api.md, for example `4` or `4 Access control policies`. */
  readonly section: string;
  readonly grade: Grade;
  /** The promise, in one sentence. */
  readonly text: string;
  /** Where it applies only to some operations: their ids. */
  readonly operations?: readonly string[];
  /** True where any description promises it, not only the API document: it stays documented with `--spec`. */
  readonly general?: boolean;
  /** Why no suite can try it, where none can. */
  readonly untestable?: string;
}
