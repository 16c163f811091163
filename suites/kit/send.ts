import { createTarget, SendError } from '../../client/index.ts';
import type { Creation, Deadline, Journal, Target } from '../../client/index.ts';
import { announcedBy, removable } from '../../domain/announced.ts';
import { clientNamedOf } from '../../domain/client-named.ts';
import { idInResponse } from '../../domain/id-in-response.ts';
import { isNewId } from '../../domain/own-ids.ts';
import { addressesOtherOperation } from '../../domain/overlapping-paths.ts';
import type { ApiKnowledge } from '../../domain/index.ts';
import { requiredParameters, withOwnKeys } from '../../domain/inferred/plain-request.ts';
import { bodyContent, concreteType } from '../../generators/index.ts';
import type { Contract, Exchange, Operation } from '../../spec/index.ts';
import { NotAnswering, OutOfTime, Postponed, Skip, Unreachable } from './context.ts';
import type { RequestSpec } from './context.ts';
import type { SuiteRunOptions } from './options.ts';
import { targetOptionsOf } from './options.ts';

export interface SuiteTargetParts {
  readonly options: SuiteRunOptions;
  readonly contract: Contract;
  readonly knowledge: ApiKnowledge;
  readonly journal: Journal;
  readonly deadline: Deadline;
  readonly onCreation: (creation: Creation) => void;
  /** Most requests of an operation in the run. */
  readonly maxRequests: (operation: Operation) => number;
}

/** Opens the target of the suites: the pipeline of the client with what is known of the API. */
export function openSuiteTarget(parts: SuiteTargetParts): Target {
  const { options, contract, knowledge, journal, deadline, onCreation, maxRequests } = parts;
  const { allow, runId } = options;
  const tag = `assay-${runId}`;
  return createTarget({
    ...targetOptionsOf(options),
    deadline,
    guard: {
      allow,
      maxRequests,
      addressesOther: ({ operation, path = {} }) => addressesOtherOperation(contract, operation, path),
    },
    journaling: {
      journal,
      tag,
      resources: [...knowledge.resources, ...(knowledge.nested ?? [])],
      named: clientNamedOf(contract),
      idOf: idInResponse,
      isNewId: (operation, created, id) => isNewId({ contract, knowledge, tag }, operation, created, id),
      // Where the document states what each operation creates, a Location may address what existed before.
      ...(knowledge.guarantees('effects')
        ? {}
        : { announcedOf: (operation, created) => removable(announcedBy(contract, operation, created)) }),
      onCreation,
    },
    bodyTypeOf: ({ body }) => concreteType(bodyContent(body)?.type ?? 'application/json'),
    requiredOf: requiredParameters(contract),
    readOf: ({ path }) => contract.operation(`GET ${path}`),
    requireAvailable: true,
  });
}

/** Sends one request. A request that the client does not send, or a failure that says nothing about the service, ends the test. */
export async function sendSpec(
  { target, contract }: { readonly target: Target; readonly contract: Contract },
  operation: Operation,
  spec: RequestSpec,
): Promise<Exchange> {
  try {
    const headers = spec.headers === undefined ? undefined : withOwnKeys(contract, operation, spec.headers);
    return await target.send({ ...spec, operation, ...(headers === undefined ? {} : { headers }) });
  } catch (error) {
    throw asOutcome(error);
  }
}

/** Translates an error of the client: {@link Unreachable}, or a {@link Skip}, also where the token is no longer accepted. */
export function asOutcome(error: unknown): unknown {
  if (!(error instanceof SendError)) return error;
  if (error.exchange !== undefined) return new NotAnswering(error.message, error.exchange);
  if (error.code === 'time-limit') return new OutOfTime(error.message);
  if (error.code === 'postponed') return new Postponed(error.message);
  return error.code === 'unreachable' ? new Unreachable(error.message) : new Skip(error.message);
}
