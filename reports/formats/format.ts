import type { ReportView } from '../view.ts';

/** One report format: what the help says of it, and how it is written. */
export interface Format {
  readonly describe: string;
  /** Writes into `out`, which exists; resolves to the paths that were written. */
  readonly write: (view: ReportView, out: string) => Promise<readonly string[]>;
}
