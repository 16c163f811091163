import { findOperation } from '../../../domain/builtin/operations.ts';
import type { OperationRole } from '../../../domain/builtin/operations.ts';
import { isServed } from '../../../spec/index.ts';
import type { Effect, Exchange, Form, Operation } from '../../../spec/index.ts';
import type { RequestSpec, TestContext } from '../../kit/context.ts';
import { defineTest } from '../../kit/define-test.ts';
import { openSession } from '../../kit/session.ts';
import { reportViolation } from '../../kit/violation.ts';

const session = await openSession();

/** What the body of a test works with. */
interface Published {
  readonly t: TestContext;
  readonly operation: Operation;
  readonly form: Form;
  /** Reports the behavior that differs from the published one. */
  readonly report: (
    code: Code,
    subject: string,
    expected: string,
    exchanges: readonly Exchange[],
    /** The operation to blame, and what was received; default: the operation of the test, and the status. */
    given?: { readonly by?: Operation; readonly received?: string },
  ) => void;
  /** Sends a request that must be refused. */
  readonly mustRefuse: (subject: string, request: RequestSpec) => Promise<void>;
}

type Code = 'accepted' | 'refused' | 'value' | 'missing';

/** Defines a test of behavior published outside the API document: a violation warns, and fails a run with `--strict`. */
export function define(
  role: OperationRole,
  title: string,
  requirement: string,
  effects: readonly Effect[],
  body: (published: Published) => Promise<void>,
): void {
  const operation = findOperation(session.contract, role);
  const form = operation?.forms.at(-1);
  if (operation === undefined || form === undefined) return;
  const run = (t: TestContext): Promise<void> => {
    const report: Published['report'] = (code, subject, expected, exchanges, given = {}) => {
      const { by = operation } = given;
      const { response } = exchanges.at(-1) ?? {};
      if (response === undefined) return; // The check `answered` reports that.
      const received = given.received ?? `status ${response.status}${code === 'missing' ? ' without it' : ''}`;
      const evidence = { subject, requirement, expected, received, exchanges };
      reportViolation(t, `published-behaviour/${code}`, by, evidence);
    };
    const mustRefuse: Published['mustRefuse'] = async (subject, request) => {
      const exchange = await t.send(operation, { ...request, form, label: subject });
      if (isServed(exchange)) report('accepted', subject, 'status 400', [exchange]);
    };
    return body({ t, operation, form, report, mustRefuse });
  };
  const checks = ['published-behaviour'] as const;
  const isAwaited = effects.includes('costly');
  const definition = { title, operation, form, checks, requirements: [requirement], effects, isAwaited, run };
  defineTest(session, { suite: 'state/published', ...definition });
}
