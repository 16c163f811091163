export type * from './contract.ts';
export type * from './exchange.ts';
export type * from './json.ts';
export type * from './fleet-records.ts';
export type * from './load-records.ts';
export type * from './records.ts';
export type * from './requirements.ts';
export type { SecurityScheme } from './security.ts';
export { BEARER, describeScheme, schemesOf, tokenUrlsOf } from './security.ts';
export { gradeFor } from './requirements.ts';
export type { Finding, ShownExchange } from './finding.ts';
export type { CapturedId, FindingScript, RepeatedText, ScriptRequest } from './finding-script.ts';
export { EFFECTS, isIdempotencyKey, isOwnIdempotencyKey } from './contract.ts';
export { fingerprint } from './finding.ts';
export { isObject, listIn, parsedJson, scalarText } from './json.ts';
export { patternExpression } from './pattern.ts';
export { AssayError, EXIT, usageError } from './errors.ts';
export { Secrets } from './secrets.ts';
export type { Redactor } from './redact.ts';
export { diffContracts } from './diff/diff.ts';
export type { Change } from './diff/change.ts';
export { addressOf, interfaceDifferences } from './diff/interface.ts';
export { lintDescription } from './lint.ts';
export { contractOf, loadContract, packContract, unpackContract } from './loading/load.ts';
export { isUrl } from './loading/read.ts';
export { itemPaths, ownCollection, templateKey } from './loading/operations/template-key.ts';
export { withoutHeaders } from './loading/contract.ts';
export type { LintProblem } from './lint.ts';
export { renderUrl } from './serialise/url.ts';
export { serialiseParameter } from './serialise/parameter.ts';
export { decodePercent } from './serialise/encode.ts';
export { isWritable, writeBody } from './serialise/body.ts';
export { escapeToken, pointerTo, pointerTokens, readPointer } from './pointer.ts';
export type { Violation } from './violation.ts';
export type { CheckName, FindingCode } from './finding-codes.ts';
export { checkOf, FINDING_CODES } from './finding-codes.ts';
export { affectsOtherTests, changesOtherItems } from './affected-tests.ts';
export { adviceFor, isReached } from './reached.ts';
export { explains, isUnusable } from './explains.ts';
export { ownId } from './checks/own-id.ts';
export type { Expectation } from './checks/index.ts';
export {
  CHECKS,
  checkEntry,
  covers,
  isJsonType,
  isOfGateway,
  isServed,
  isSuccess,
  judgeExchange,
  isTooLarge,
  mayLack,
  mayLackPermission,
  responseFor,
} from './checks/index.ts';
