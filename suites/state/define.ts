import { OPERATIONS } from '../../domain/builtin/operations.ts';
import type { OperationRole } from '../../domain/builtin/operations.ts';
import type { Form, Operation } from '../../spec/index.ts';
import type { TestContext } from '../kit/context.ts';
import { defineTest } from '../kit/define-test.ts';
import type { TestDefinition } from '../kit/define-test.ts';
import type { Session } from '../kit/session.ts';

/** What a test is about: an operation in one of its forms. */
export interface Target {
  readonly operation: Operation;
  readonly form: Form;
  /** The next form, the same one where the operation has only one. */
  readonly otherForm: Form;
}

type Definition = Omit<TestDefinition, 'operation' | 'form'> & {
  /** One form only: the tests of a series go through the forms in turn. */
  readonly turn?: number;
};

/** Declares a test for each form of the operation with a role, or for one; none where the description lacks the operation. */
export function defineForForms(
  session: Session,
  role: OperationRole,
  { turn, ...definition }: Definition,
  body: (t: TestContext, target: Target) => Promise<void>,
): void {
  const operation = session.contract.operation(OPERATIONS[role]);
  for (const [at, form] of (operation?.forms ?? []).entries()) {
    if (operation === undefined) return;
    if (turn !== undefined && turn % operation.forms.length !== at) continue;
    const target = { operation, form, otherForm: formAt(operation, at + 1) };
    const isOnlyForm = turn !== undefined;
    defineTest(session, { ...definition, operation, form, isOnlyForm }, (t) => body(t, target));
  }
}

/** Declares a test that chooses the forms itself. */
export function defineFor(
  session: Session,
  role: OperationRole,
  definition: Definition,
  body: (t: TestContext, operation: Operation) => Promise<void>,
): void {
  const operation = session.contract.operation(OPERATIONS[role]);
  if (operation !== undefined) defineTest(session, { ...definition, operation }, (t) => body(t, operation));
}

/** A form of the operation, counted round. */
export function formAt({ forms }: Operation, index: number): Form {
  return forms[index % forms.length] as Form;
}
