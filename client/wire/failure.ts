import type { FailureKind } from '../../spec/index.ts';
import { LimitError } from './attempt.ts';
import type { Outcome } from './attempt.ts';

/** Why no answer came. */
export interface Failure {
  readonly kind: FailureKind;
  readonly message: string;
}

const KIND_BY_CODE = {
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  ECONNABORTED: 'reset',
  UND_ERR_SOCKET: 'reset',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EAI_FAIL: 'dns',
  EAI_NODATA: 'dns',
  UND_ERR_HEADERS_OVERFLOW: 'protocol',
  UND_ERR_INFO: 'protocol',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'protocol',
  UND_ERR_ABORTED: 'aborted',
  UND_ERR_DESTROYED: 'aborted',
  UND_ERR_CLOSED: 'aborted',
  ABORT_ERR: 'aborted',
} as const satisfies Record<string, FailureKind>;

function codeOf(error: unknown): string {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}

function isTls(code: string): boolean {
  return /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH)/.test(code);
}

function kindOf(error: Error, code: string): FailureKind {
  if (error instanceof LimitError) return error.message.startsWith('no complete') ? 'timeout' : 'protocol';
  if (isTls(code)) return 'tls';
  if (code === 'UND_ERR_SOCKET' && /^(bad|invalid) /.test(error.message)) return 'protocol';
  if (code.startsWith('HPE_') || error.name === 'HTTPParserError') return 'protocol';
  return (KIND_BY_CODE as Readonly<Record<string, FailureKind>>)[code] ?? 'other';
}

function whereOf(progress: Outcome['progress']): string {
  if (progress.status === 0) return progress.sent ? ', after the request was sent and before any answer' : '';
  return `, after status ${progress.status} and ${progress.bodyBytes} bytes of the body`;
}

function innermost(error: Error): Error {
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return error.errors[0];
  return error.message === '' && error.cause instanceof Error ? innermost(error.cause) : error;
}

/** Sorts the error of an attempt; its message is one line without control characters. */
export function failureOf(error: Error, progress: Outcome['progress']): Failure {
  const inner = innermost(error);
  const code = codeOf(error) || codeOf(inner) || codeOf(inner.cause);
  const kind = kindOf(error, code);
  const cutShort = kind === 'reset' && code === 'UND_ERR_SOCKET' && progress.status !== 0;
  const words = inner.message
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 300);
  const message = cutShort ? 'the connection was closed in the middle of the answer' : words || code || error.name;
  return { kind: cutShort ? 'protocol' : kind, message: message + whereOf(progress) };
}
