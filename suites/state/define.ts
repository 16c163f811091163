import { findOperation } from '../../domain/builtin/operations.ts';
import type { OperationRole } from '../../domain/builtin/operations.ts';
import type { Form, Operation } from '../../spec/index.ts';
import type { TestContext } from '../kit/context.ts';
import { defineTest } from '../kit/define-test.ts';
import type { TestDefinition } from '../kit/define-test.ts';
import type { Session } from '../kit/session.ts';

/** What a test is about: an operation in one of its forms. */
export interface Tested {
  readonly operation: Operation;
  readonly form: Form;
  /** The next form; the same one where the operation has only one form. */
  readonly otherForm: Form;
}

type Definition<Subject> = Omit<TestDefinition, 'operation' | 'form' | 'run'> & {
  readonly run: (t: TestContext, subject: Subject) => Promise<void>;
};

interface OfForms extends Definition<Tested> {
  /** Set for a test through one form only: its index, modulo the number of forms. */
  readonly formIndex?: number;
}

/** Defines a test for each form of the operation with a role, or for one of them; none where the description lacks the operation. */
export function defineForRole(session: Session, role: OperationRole, { formIndex, run, ...definition }: OfForms): void {
  const operation = findOperation(session.contract, role);
  for (const [at, form] of (operation?.forms ?? []).entries()) {
    if (operation === undefined) return;
    if (formIndex !== undefined && formIndex % operation.forms.length !== at) continue;
    const target = { operation, form, otherForm: formAt(operation, at + 1) };
    const isOnlyForm = formIndex !== undefined;
    defineTest(session, { ...definition, operation, form, isOnlyForm, run: (t) => run(t, target) });
  }
}

/** Defines one test that chooses the forms itself; none where the description lacks the operation. */
export function defineOnce(session: Session, role: OperationRole, { run, ...definition }: Definition<Operation>): void {
  const operation = findOperation(session.contract, role);
  if (operation !== undefined) defineTest(session, { ...definition, operation, run: (t) => run(t, operation) });
}

/** A form of the operation; the index is taken modulo the number of forms. */
export function formAt({ forms }: Operation, index: number): Form {
  return forms[index % forms.length] as Form;
}

/** An identity without the permission for every operation. */
export type Refused = 'none' | 'invalid' | 'expired' | 'limited';

const REFUSED: readonly Refused[] = ['none', 'invalid', 'expired', 'limited'];

/** Identities whose requests must be refused, without those whose token was not given. */
export function refusedIdentities({ options }: Pick<Session, 'options'>, identities = REFUSED): readonly Refused[] {
  return identities.filter((name) => name === 'none' || name === 'invalid' || options.tokens[name] !== undefined);
}
