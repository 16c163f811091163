import { itemsIn } from '../../domain/items.ts';
import { requestToRefuse } from '../../domain/requests.ts';
import { isSuccess } from '../../spec/index.ts';
import type { Operation } from '../../spec/index.ts';
import { defineForForms } from '../kit/define-test.ts';
import type { TestDefinition } from '../kit/define-test.ts';
import { parameterSchema } from '../kit/schema-parts.ts';
import type { Session } from '../kit/session.ts';
import { reportStatus, skipIfRefusedAnyway, statusOf } from './violations.ts';
import type { StatusRule } from './violations.ts';

/** Names of the path parameters that are uuids; none where it is not guaranteed how wrong ids are answered. */
export function uuidsOf(session: Session, operation: Operation): readonly string[] {
  const names = operation.parameters.filter((each) => each.in === 'path').map((each) => each.name);
  return session.knowledge.guarantees('ids', operation)
    ? names.filter((name) => isUuidParameter(session, operation, name))
    : [];
}

export function isUuidParameter({ contract }: Session, operation: Operation, name: string): boolean {
  const parameter = operation.parameters.find((each) => each.in === 'path' && each.name === name);
  return parameter !== undefined && parameterSchema(contract, parameter)['format'] === 'uuid';
}

interface Ids {
  readonly operation: Operation;
  /** Names of the path parameters. */
  readonly uuids: readonly string[];
  /** Wrong values for each of them. */
  readonly values: () => readonly string[];
  readonly allowed: readonly number[];
  /** An empty list is allowed too: the document does not state how a list below an unknown item responds. */
  readonly mayBeEmpty?: boolean;
}

/** Defines tests that replace each id of the path by wrong values. */
export function defineRejection(
  session: Session,
  spec: Pick<TestDefinition, 'suite' | 'title' | 'checks' | 'requirements'>,
  { operation, uuids, values, allowed, mayBeEmpty = false }: Ids,
  rule: StatusRule,
): void {
  defineForForms(session, {
    ...spec,
    operation,
    run: async (t, form) => {
      const request = await requestToRefuse(t, operation, form);
      for (const name of uuids)
        for (const value of values()) {
          const label = `${rule.request} ${name}`;
          const path = { ...request.path, [name]: value };
          const exchange = await t.send(operation, { ...request, path, valid: false, label });
          const status = statusOf(exchange);
          const isEmpty = mayBeEmpty && status === 200 && itemsIn(exchange)?.length === 0;
          if (status !== 0 && !allowed.includes(status) && !isEmpty) {
            await skipIfRefusedAnyway(t, operation, form, status);
            reportStatus(t, operation, exchange, { ...rule, slug: name, request: label });
            // A change may have created the item: without its name it would not be found again.
            if (operation.method !== 'GET' && isSuccess(status)) continue;
          }
          // Whatever is read first, and in whatever type it is answered, there must be no server error.
          const body = request.json === undefined ? {} : { json: {} };
          const others = `${label}, with Accept: text/plain${request.json === undefined ? '' : ' and {} as the body'}`;
          await t.send(operation, { ...request, ...body, path, accept: 'text/plain', valid: false, label: others });
        }
    },
  });
}
