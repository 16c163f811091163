import type { Role, Route, Tokens } from './types.ts';

const ACCESS = 'RACI:management.accesscontrol';
const AGENTS = 'RACI:management.aiagents';
const POLICY = '/accesscontrolpolicies';

/** Operations in the order in which literal segments win over parameters. */
const BOTH_FORMS: readonly (readonly [id: string, permission: string])[] = [
  [`GET ${POLICY}`, ACCESS],
  [`POST ${POLICY}`, ACCESS],
  [`GET ${POLICY}/byprocessingorder`, ACCESS],
  [`POST ${POLICY}/setprocessingorder`, ACCESS],
  [`GET ${POLICY}/actions`, ACCESS],
  [`POST ${POLICY}/{id}/activate`, ACCESS],
  [`POST ${POLICY}/{id}/deactivate`, ACCESS],
  [`GET ${POLICY}/{id}`, ACCESS],
  [`PUT ${POLICY}/{id}`, ACCESS],
  [`DELETE ${POLICY}/{id}`, ACCESS],
  ['GET /aiagent', AGENTS],
  ['POST /aiagent', AGENTS],
  ['GET /aiagent/{id}', AGENTS],
  ['PUT /aiagent/{id}', AGENTS],
  ['DELETE /aiagent/{id}', AGENTS],
  ['GET /aijob', AGENTS],
  ['POST /aijob', AGENTS],
  ['GET /aijob/summary', AGENTS],
  ['GET /aijob/{id}', AGENTS],
  ['PUT /aijob/{id}', AGENTS],
  ['PATCH /aijob/{id}', AGENTS],
  ['DELETE /aijob/{id}', AGENTS],
  ['POST /aijob/{id}/preview', AGENTS],
  ['GET /aijob/{id}/chatstream', AGENTS],
  ['GET /aijob/{id}/results/{type}', AGENTS],
  ['GET /aijob/{id}/results/{type}/{resultId}', AGENTS],
  ['GET /aijob/{id}/runs', AGENTS],
  ['GET /aijob/{jobId}/runs/{runId}/chats', AGENTS],
  ['GET /aijob/{jobId}/runs/{runId}/chats/{chatId}', AGENTS],
  ['GET /aijob/{id}/runs/{runId}/results', AGENTS],
  ['POST /aijob/{id}/execution-queue', AGENTS],
  ['POST /aijob/{id}/dry-run', AGENTS],
  ['PUT /aijob/{id}/bulk-result-approval-request', AGENTS],
  ['POST /aijob/{id}/results/{type}/approvals', AGENTS],
  ['GET /aijobskills', 'any'],
  ['GET /auditLog/getByObjectTypeIds', 'any'],
  ['GET /auditLog/{objectId}/{objectTypeId}', 'any'],
];

/** Endpoints that exist in one form only, by their prefix. */
const ONE_FORM: readonly (readonly [prefix: string, id: string, permission: string])[] = [
  ['/api/v1', 'GET /status', 'none'],
  ['/api/v1', 'GET /vocabs/keys', 'unstated'],
  ['/api/v1', 'POST /clue', 'unstated'],
  ['/api', 'POST /admin/entity/ProcessClue', 'unstated'],
  ['/api/v2', 'GET /search/suggest', 'unstated'],
  ['/api/v3', 'GET /search/suggest', 'unstated'],
];

interface Pattern {
  readonly id: string;
  readonly form: string;
  readonly permission: string;
  readonly method: string;
  readonly expression: RegExp;
}

function pattern(form: string, id: string, permission: string): Pattern {
  const space = id.indexOf(' ');
  const path = id.slice(space + 1).replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  return { id, form, permission, method: id.slice(0, space), expression: new RegExp(`^${form}${path}/?$`, 'i') };
}

const PATTERNS: readonly Pattern[] = [
  ...ONE_FORM.map(([form, id, permission]) => pattern(form, id, permission)),
  ...BOTH_FORMS.flatMap(([id, permission]) => [pattern('/api/v1', id, permission), pattern('/api', id, permission)]),
];

/** Every operation's id, once. */
export const OPERATION_IDS: readonly string[] = [...new Set(PATTERNS.map((p) => p.id))];

/** Ids of the operations that need this permission. */
export function operationsWith(permission: string): readonly string[] {
  return [...new Set(PATTERNS.filter((p) => p.permission === permission).map((p) => p.id))];
}

/** The operation that a request addresses, if any. */
export function routeOf(method: string, path: string): Route | undefined {
  for (const candidate of PATTERNS) {
    if (candidate.method !== method) continue;
    const match = candidate.expression.exec(path);
    if (match)
      return { id: candidate.id, form: candidate.form, permission: candidate.permission, params: { ...match.groups } };
  }
  return undefined;
}

/** Whom an Authorization header stands for. */
export function roleOf(authorization: string | undefined, tokens: Tokens): Role {
  if (authorization === undefined || authorization === '') return 'none';
  for (const role of ['full', 'limited', 'expired'] as const)
    if (authorization === `Bearer ${tokens[role]}`) return role;
  return 'invalid';
}

/** An operation id as one can compare it: prefixes and the names of path parameters don't count. */
export function plainId(id: string): string {
  return id
    .replace(/^(\w+) (?:\/api)?(?:\/v\d)?\//, '$1 /')
    .replaceAll(/\{\w+\}/g, '{}')
    .toLowerCase();
}
