import { randomUUID } from 'node:crypto';
import type { Method, Operation } from '../../spec/index.ts';
import { isSuccess } from '../../spec/index.ts';
import { defineTest } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';

const session = await openSession();

/** Tried in this order; DELETE is not, lest an undocumented one does what it says. */
const METHODS: readonly Method[] = ['PATCH', 'PUT', 'POST'];

const documented = new Map<string, { readonly operation: Operation; readonly methods: Set<string> }>();
for (const operation of session.contract.operations) {
  const known = documented.get(operation.path) ?? { operation, methods: new Set<string>() };
  known.methods.add(operation.method);
  documented.set(operation.path, known);
}

/** True where the template of another operation covers this path: with that method it would be that operation. */
function taken({ path }: Operation, method: Method): boolean {
  const parts = path.split('/');
  return session.contract.operations.some((each) => {
    const others = each.path.split('/');
    return (
      each.method === method &&
      others.length === parts.length &&
      others.every(
        (other, at) =>
          other.includes('{') || parts[at]?.includes('{') === true || other.toLowerCase() === parts[at]?.toLowerCase(),
      )
    );
  });
}

for (const { operation, methods } of documented.values()) {
  const method = METHODS.find((each) => !methods.has(each) && !taken(operation, each));
  if (method === undefined) continue;
  for (const form of operation.forms) {
    defineTest(
      session,
      {
        suite: 'contract/methods',
        title: 'a method that is not documented brings no server error',
        operation,
        form,
        checks: ['no-server-error', 'answered'],
        requirements: ['errors.no-server-error'],
        effects: [operation.effect, 'reversible'],
      },
      async (t) => {
        const path = Object.fromEntries(
          [...form.path.matchAll(/\{([^{}]+)\}/g)].map((match) => [match[1] ?? '', randomUUID()]),
        );
        const exchange = await t.send(operation, {
          form,
          path,
          method,
          label: `${method}, which is not documented here`,
        });
        const status = exchange.response?.status ?? 0;
        if (isSuccess(status))
          t.observe('an undocumented method is served', `${method} ${form.path}: ${status}`, operation);
      },
    );
  }
}
