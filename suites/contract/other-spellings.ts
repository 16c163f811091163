import { isSuccess } from '../../spec/index.ts';
import type { Method, Operation } from '../../spec/index.ts';
import type { RequestSpec, TestContext } from '../kit/context.ts';
import { secretOf } from './secret-words.ts';
import { statusOf, wrongStatus } from './violations.ts';

interface Spelling {
  readonly slug: string;
  readonly label: string;
  readonly path: string;
  readonly method?: Method;
}

/** A path in capitals or with a slash at its end may name the same resource, and HEAD tells what GET would: each needs a token. */
export async function refusesOtherSpellings(t: TestContext, operation: Operation, request: RequestSpec): Promise<void> {
  const form = request.form ?? operation.forms[0];
  if (form === undefined) return;
  const capitals = form.path.replaceAll(/[^{}]+(?=\{|$)/g, (fixed) => fixed.toUpperCase());
  const secret = secretOf(operation);
  const spellings: readonly Spelling[] = [
    { slug: 'capitals', label: `a request without ${secret}, with the path in capitals`, path: capitals },
    { slug: 'slash', label: `a request without ${secret}, with a slash at the end`, path: `${form.path}/` },
    { slug: 'head', label: `a HEAD request without ${secret}`, path: form.path, method: 'HEAD' },
  ];
  for (const { slug, label, path, method = operation.method } of spellings) {
    const respelled = { ...operation, forms: [{ ...form, path }] };
    const exchange = await t.sendQuietly(respelled, { ...request, method, label, identity: 'none', valid: false });
    // Some gateways answer unknown paths with an HTML page.
    if (!isSuccess(statusOf(exchange)) || exchange.response?.mediaType?.includes('json') !== true) continue;
    const status = { code: 'authentication/accepted', slug: `no-token-${slug}`, requirement: 'auth.missing' } as const;
    t.report(wrongStatus(operation, exchange, { ...status, request: label, expected: 'status 401' }));
  }
}
