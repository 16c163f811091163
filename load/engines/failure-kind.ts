import type { FailureKind } from '../../spec/index.ts';

const KINDS: Readonly<Record<string, FailureKind>> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  ECONNABORTED: 'reset',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  ETIMEDOUT: 'timeout',
};

/** What went wrong on a socket, in the words that all of Assay uses. */
export function failureKind(error: unknown): FailureKind {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const known = KINDS[code];
  if (known) return known;
  return /CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO/.test(code) ? 'tls' : 'other';
}
