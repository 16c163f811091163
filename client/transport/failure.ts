import type { Exchange, FailureKind } from '../../spec/index.ts';
import { oneLine } from '../one-line.ts';
import { LimitError } from './attempt.ts';
import type { AttemptEnd } from './attempt.ts';

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
  // The parser expects other responses, for example no 101 without an upgrade.
  ERR_ASSERTION: 'protocol',
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
  if (error instanceof LimitError) return error.kind;
  if (isTls(code)) return 'tls';
  if (error.message.startsWith('Proxy response')) return 'refused';
  if (code === 'UND_ERR_SOCKET' && /^(bad|invalid) /.test(error.message)) return 'protocol';
  if (code.startsWith('HPE_') || error.name === 'HTTPParserError') return 'protocol';
  return (KIND_BY_CODE as Readonly<Record<string, FailureKind>>)[code] ?? 'other';
}

/** How far an exchange got, as the end of a sentence. */
function progressOf({ stage, status, bodyBytes }: AttemptEnd): string {
  if (stage === 'connecting') return '';
  return stage === 'sent'
    ? ', after the request was sent and before any response'
    : `, after status ${status} and ${bodyBytes} bytes of the body`;
}

function innermost(error: Error): Error {
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return error.errors[0];
  return error.message === '' && error.cause instanceof Error ? innermost(error.cause) : error;
}

/** Classifies the error of an attempt; its message is one line without control characters. */
export function failureOf(outcome: AttemptEnd): NonNullable<Exchange['failure']> {
  const { error = new Error('no response'), stage } = outcome;
  const inner = innermost(error);
  const code = codeOf(error) || codeOf(inner) || codeOf(inner.cause);
  const kind = kindOf(error, code);
  const cutShort = kind === 'reset' && code === 'UND_ERR_SOCKET' && stage === 'receiving';
  const words = code === 'ERR_ASSERTION' ? 'the response breaks the rules of HTTP' : oneLine(inner.message, 300);
  const message = cutShort ? 'the connection was closed in the middle of the response' : words || code || error.name;
  return { kind: cutShort ? 'protocol' : kind, message: message + progressOf(outcome), stage };
}
