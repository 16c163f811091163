import { shellQuoted } from '../../spec/escape.ts';
import type { Finding } from '../../spec/index.ts';

/** The command that replays a finding, by its fingerprint. */
export type ReplayOf = (fingerprint: string) => string;

/** Where `assay replay` looks without a folder. */
export const USUAL_DIR = 'assay-report';

/** Replays the findings of the report in a folder. `command`: the words that start Assay. */
export function replayIn(dir: string, command: string): ReplayOf {
  const folder = dir === USUAL_DIR ? '' : ` ${quoted(dir === '' ? '.' : dir)}`;
  return (fingerprint) => `${command} replay ${fingerprint}${folder}`;
}

/** How to replay a finding; empty if it cannot be. */
export function replayText({ fingerprint, replay }: Finding, replayOf?: ReplayOf): string {
  return replay === undefined ? '' : (replayOf?.(fingerprint) ?? replay);
}

function quoted(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : shellQuoted(word);
}
