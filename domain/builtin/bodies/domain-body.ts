import type { Contract, JsonObject } from '../../../spec/index.ts';
import type { JsonGenerator } from '../../../generators/core/generator.ts';
import { bodyContent } from '../../../generators/parameters/media.ts';
import { agentKind } from './agent.ts';
import { approvalKind, bulkApprovalKind } from './approval.ts';
import { clueKind } from './clue.ts';
import { DomainGenerator } from './domain-generator.ts';
import type { BodyKind } from './domain-generator.ts';
import { jobKind } from './job.ts';
import { patchKind } from './json-patch.ts';
import { policyKind } from './policy.ts';
import { processingOrderKind } from './processing-order.ts';
import type { Orderable } from './processing-order.ts';
import { rawKind } from './raw.ts';
import type { KnownBody } from './sample-body.ts';

/** Values that bodies may refer to, where the caller knows them. */
export interface DomainContext {
  readonly aiAgentId?: string;
  readonly resultIds?: readonly string[];
  readonly policies?: readonly Orderable[];
  readonly document?: JsonObject;
}

/** Kinds of bodies by operation id. */
const KINDS = {
  'POST /accesscontrolpolicies': () => policyKind,
  'PUT /accesscontrolpolicies/{id}': () => policyKind,
  'POST /accesscontrolpolicies/setprocessingorder': ({ policies }) => processingOrderKind(policies ?? []),
  'POST /aiagent': () => agentKind,
  'PUT /aiagent/{id}': () => agentKind,
  'POST /aijob': ({ aiAgentId }) => jobKind(aiAgentId),
  'PUT /aijob/{id}': ({ aiAgentId }) => jobKind(aiAgentId),
  'PATCH /aijob/{id}': ({ document }) => patchKind(document),
  'POST /aijob/{id}/preview': ({ aiAgentId }) => jobKind(aiAgentId),
  'POST /aijob/{id}/dry-run': ({ aiAgentId }) => jobKind(aiAgentId),
  'PUT /aijob/{id}/bulk-result-approval-request': () => bulkApprovalKind,
  'POST /aijob/{id}/results/{type}/approvals': ({ resultIds }) => approvalKind(resultIds),
  'POST /clue': () => clueKind,
  'POST /admin/entity/ProcessClue': () => rawKind,
} satisfies Record<KnownBody, (context: DomainContext) => BodyKind>;

/**
 * Generates bodies that are meaningful to the operation (clues with origin codes, policies with nested conditions, patches that apply),
 * valid against its schema, also while shrinking. Undefined for other operations.
 */
export function domainGenerator(
  contract: Contract,
  operationId: string,
  context: DomainContext = {},
): JsonGenerator | undefined {
  const kinds: Readonly<Record<string, (context: DomainContext) => BodyKind>> = KINDS;
  const kind = Object.hasOwn(kinds, operationId) ? kinds[operationId]?.(context) : undefined;
  const schema = bodyContent(contract.operation(operationId)?.body)?.schema;
  return kind === undefined || schema === undefined ? undefined : new DomainGenerator(contract, schema, kind);
}
