import type { Handler, Wrap } from '../../http/call.ts';
import type { Call } from '../../http/call.ts';
import { isFields } from '../../model/shape.ts';
import type { Fields } from '../../model/shape.ts';
import { properties } from '../fault.ts';
import * as op from '../operations.ts';
import { before, refusing } from '../parts.ts';

const RFC = 'PATCH takes JSON Patch operations as RFC 6902 defines them.';
const ATOMIC = 'A patch that fails changes nothing.';

const operations = (call: Call): readonly Fields[] => (Array.isArray(call.body) ? call.body.filter(isFields) : []);
const has = (name: string) => (call: Call) => operations(call).some(({ op: kind }) => kind === name);
const path = ({ path: text }: Fields) => String(text);

/** Changes every operation before it is applied; undefined leaves it out. */
function rewriting(change: (operation: Fields) => Fields | undefined): Wrap {
  return before((call) => {
    if (Array.isArray(call.body)) call.body = operations(call).flatMap((operation) => change(operation) ?? []);
  });
}

/** Whether two operations hold the same text at the same path, but for the case of letters. */
function alike(one: Fields, other: Fields): boolean {
  return (
    path(one) === path(other) &&
    typeof one['value'] === 'string' &&
    typeof other['value'] === 'string' &&
    one['value'].toLowerCase() === other['value'].toLowerCase()
  );
}

/** Applies the operations one by one and stops at the first that fails. */
const halfApplied = async (call: Call, next: Handler) => {
  const patch = operations(call);
  if (!Array.isArray(call.body) || patch.length < 2) return next(call);
  for (const operation of patch.slice(0, -1)) {
    const answer = await next({ ...call, body: [operation] });
    if (answer.status !== 200) return answer;
  }
  return next({ ...call, body: patch.slice(-1) });
};

export const patchFaults = {
  'patch-half-applied': properties('What stands before a failing operation is applied', ATOMIC, [op.PATCH_JOB], () => ({
    inner: halfApplied,
  })),
  'patch-test-ignored': properties('A test operation is ignored', RFC, [op.PATCH_JOB], () => ({
    inner: rewriting((operation) => (operation['op'] === 'test' ? undefined : operation)),
  })),
  'patch-test-500': properties('A test that fails makes the service fail', RFC, [op.PATCH_JOB], () => ({
    inner: async (call, next) => {
      const answer = await next(call);
      return answer.status === 409 ? { ...answer, status: 500 } : answer;
    },
  })),
  'patch-test-lax': properties(
    'A test operation does not tell capitals from small letters',
    RFC,
    [op.PATCH_JOB],
    () => ({
      inner: before((call) => {
        if (Array.isArray(call.body))
          call.body = operations(call).filter(
            (operation, at, all) =>
              operation['op'] !== 'test' || !all.slice(0, at).some((each) => alike(each, operation)),
          );
      }),
    }),
  ),
  'patch-move-copies': properties('A move leaves its source in place', RFC, [op.PATCH_JOB], () => ({
    inner: rewriting((operation) => (operation['op'] === 'move' ? { ...operation, op: 'copy' } : operation)),
  })),
  'patch-copy-500': properties('A copy makes the service fail', RFC, [op.PATCH_JOB], () => ({
    inner: refusing(500, has('copy')),
  })),
  'patch-remove-ignored': properties('A remove is ignored', RFC, [op.PATCH_JOB], () => ({
    inner: rewriting((operation) => (operation['op'] === 'remove' ? undefined : operation)),
  })),
  'patch-append-replaces-first': properties('Appending to an array puts the value first', RFC, [op.PATCH_JOB], () => ({
    inner: rewriting((operation) => ({ ...operation, path: path(operation).replace(/\/-$/, '/0') })),
  })),
  'patch-index-replaces': properties('Adding at an index replaces what is there', RFC, [op.PATCH_JOB], () => ({
    inner: rewriting((operation) =>
      operation['op'] === 'add' && /\/\d+$/.test(path(operation)) ? { ...operation, op: 'replace' } : operation,
    ),
  })),
  'patch-slash-escape': properties('~1 in a pointer is not unescaped', RFC, [op.PATCH_JOB], () => ({
    inner: rewriting((operation) => ({ ...operation, path: path(operation).replaceAll('~1', '~01') })),
  })),
  'patch-tilde-escape': properties('~0 in a pointer makes the service fail', RFC, [op.PATCH_JOB], () => ({
    inner: refusing(500, (call) => operations(call).some((operation) => path(operation).includes('~0'))),
  })),
  'patch-unknown-op-500': properties('An unknown operation makes the service fail', RFC, [op.PATCH_JOB], () => ({
    inner: refusing(500, (call) =>
      operations(call).some(({ op: kind }) => !/^(add|remove|replace|move|copy|test)$/.test(String(kind))),
    ),
  })),
  'patch-bad-path-200': properties('A replace of what is not there is answered with 200', RFC, [op.PATCH_JOB], () => ({
    inner: async (call, next) => {
      const answer = await next(call);
      return answer.status === 400 && operations(call).length > 0 ? next({ ...call, body: [] }) : answer;
    },
  })),
  'patch-empty-500': properties('An empty patch makes the service fail', RFC, [op.PATCH_JOB], () => ({
    inner: refusing(500, ({ body }) => Array.isArray(body) && body.length === 0),
  })),
  'patch-order-reversed': properties('Operations are applied from the last to the first', RFC, [op.PATCH_JOB], () => ({
    inner: before((call) => {
      if (Array.isArray(call.body)) call.body = call.body.toReversed();
    }),
  })),
  'patch-refused-but-stored': properties('A patch that is refused changes the job', ATOMIC, [op.PATCH_JOB], () => ({
    inner: async (call, next) => {
      const answer = await next(call);
      if (answer.status >= 400)
        call.world.jobs.merge((call.params['id'] ?? '').toLowerCase(), { description: 'patched' });
      return answer;
    },
  })),
} as const;
