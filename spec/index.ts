export type * from './contract.ts';
export type * from './exchange.ts';
export type * from './json.ts';
export type * from './records.ts';
export type * from './requirements.ts';
export type { Finding, ShownExchange } from './finding.ts';
export { EFFECTS } from './contract.ts';
export { fingerprint } from './finding.ts';
export { isObject, scalarText } from './json.ts';
export { AssayError, EXIT } from './errors.ts';
export { createRedactor } from './redact.ts';
export type { Redactor } from './redact.ts';
export { diffContracts } from './diff/index.ts';
export type { Change, ChangeClass } from './diff/index.ts';
export { lintDescription } from './lint/index.ts';
export { loadContract } from './load/index.ts';
export type { LintProblem } from './lint/index.ts';
export { renderUrl, isWritable, serialiseParameter, writeBody } from './serialise/index.ts';
export type { Addressed, SerialisedParameter } from './serialise/index.ts';
export { escapeToken, pointerTo, pointerTokens, readPointer } from './pointer.ts';
export type { RuleViolation, CheckEntry, CheckName, Expectation, Judge, Subject } from './checks/index.ts';
export {
  CHECKS,
  checkEntry,
  covers,
  isJsonType,
  isSuccess,
  judgeExchange,
  mayLack,
  responseFor,
} from './checks/index.ts';
