import type { CheckName } from '../spec/index.ts';

/** What shows that a check is needed. */
export type Proof =
  /** A defect that this check alone reports. */
  | { readonly onlyCatches: string }
  /** A defect that it reports beside other checks, and why that cannot be otherwise. */
  | { readonly catches: string; readonly because: string }
  /** A test that proves it, where one run against a defective service cannot. */
  | { readonly provedBy: string };

/** For every check, the defect that it must catch. `assay prove` runs them always. */
export const PROOFS = {} as unknown as Readonly<Record<CheckName, Proof>>;
