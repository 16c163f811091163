/**
 * How binding a requirement is: `documented` (stated by the API document or a standard that it names; a violation fails
 * the run), `published` or `inferred` (known from elsewhere; a violation warns, `--strict` fails), `unspecified` (observed and reported
 * only).
 */
export type Grade = 'documented' | 'published' | 'inferred' | 'unspecified';

/** A statement of the API document that is true or false of a deployment. */
export interface Requirement {
  /** Dotted kebab-case, for example `paging.take-default`. */
  readonly id: string;
  /** Section of the API document, for example `4` or `4 Access control policies`. */
  readonly section: string;
  readonly grade: Grade;
  /** Its grade for operations that the API document does not show; {@link grade} if absent. */
  readonly gradeElsewhere?: Grade;
  /** The requirement in one sentence. */
  readonly text: string;
  /** Ids of the operations that it applies to; all if absent. */
  readonly operations?: readonly string[];
  /** True if it applies to any description: it stays documented with `--spec`. */
  readonly general?: boolean;
  /** It concerns responses with this status: a test without such a response does not verify it. */
  readonly status?: number;
  /** Why no suite can test it. */
  readonly untestable?: string;
}

/** What differs where another description than the API document is tested. */
export type Elsewhere = Partial<Pick<Requirement, 'text' | 'untestable'>>;

/** How binding a requirement is for an operation. */
export function gradeFor(requirement: Requirement, operation: { readonly inDocument?: true }): Grade {
  return operation.inDocument === true ? requirement.grade : (requirement.gradeElsewhere ?? requirement.grade);
}
