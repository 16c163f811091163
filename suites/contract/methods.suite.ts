import { randomUUID } from 'node:crypto';
import { isSuccess } from '../../spec/index.ts';
import type { Method, Operation } from '../../spec/index.ts';
import { defineForForms } from '../kit/define-test.ts';
import { parameterSchema } from '../kit/schema-parts.ts';
import { openSession } from '../kit/session.ts';
import { statusOf } from './violations.ts';

const session = await openSession();

/** The first one that is not documented for a path is sent. Never DELETE, which may delete something where it is served. */
const METHODS: readonly Method[] = ['PATCH', 'PUT', 'POST'];

const { operations } = session.contract;
const onePerPath = operations.filter(({ path }, at) => operations.findIndex((each) => each.path === path) === at);
const documented = operations.map(({ method, path }) => ({ method, segments: path.split('/') }));

for (const operation of onePerPath) {
  const method = METHODS.find((each) => !isDocumented(operation, each));
  if (method === undefined) continue;
  defineForForms(session, {
    suite: 'contract/methods',
    title: 'answers an undocumented method without a server error',
    operation,
    checks: ['no-server-error', 'answered'],
    requirements: ['errors.no-server-error'],
    effects: [operation.effect, 'reversible'],
    run: async (t, form) => {
      const names = [...form.path.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1] ?? '');
      const path = Object.fromEntries(names.map((name) => [name, unknownId(operation, name)]));
      const exchange = await t.send(operation, { form, path, method, label: `the undocumented method ${method}` });
      const status = statusOf(exchange);
      if (isSuccess(status)) t.observe('undocumented method served', `${method} ${form.path}: ${status}`, operation);
      if (status === 405 && !exchange.response?.headers.some(([name]) => name.toLowerCase() === 'allow'))
        t.observe('405 without the header Allow (RFC 9110, section 15.5.6)', `${method} ${form.path}`, operation);
    },
  });
}

/** An id of the type that the operation takes, which most likely no item has. */
function unknownId(operation: Operation, name: string): string {
  const parameter = operation.parameters.find((each) => each.in === 'path' && each.name === name);
  const type = parameter === undefined ? undefined : parameterSchema(session.contract, parameter)['type'];
  return type === 'integer' || type === 'number' ? String(LARGE_ID) : randomUUID();
}

/** Fits into 32 bits. */
const LARGE_ID = 2_147_000_001;

/** True where some operation with that method has a path template that matches this path. */
function isDocumented({ path }: Operation, method: Method): boolean {
  const segments = path.split('/');
  return documented.some(
    (each) =>
      each.method === method &&
      each.segments.length === segments.length &&
      each.segments.every((other, at) => matchesSegment(other, segments[at] ?? '')),
  );
}

function matchesSegment(a: string, b: string): boolean {
  return a.includes('{') || b.includes('{') || a.toLowerCase() === b.toLowerCase();
}
