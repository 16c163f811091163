import { isSuccess } from '../../spec/index.ts';
import type { Operation } from '../../spec/index.ts';
import type { RequestSpec, TestContext } from '../kit/context.ts';
import { statusOf, wrongStatus } from './violations.ts';

/** A path in capitals or with a slash at its end may name the same resource, and HEAD tells what GET would: none needs no token. */
export async function refusesOtherSpellings(t: TestContext, operation: Operation, request: RequestSpec): Promise<void> {
  const form = request.form ?? operation.forms[0];
  if (form === undefined) return;
  const capitals = form.path.replaceAll(/[^{}]+(?=\{|$)/g, (fixed) => fixed.toUpperCase());
  const spellings: readonly (RequestSpec & { readonly slug: string; readonly label: string })[] = [
    {
      slug: 'capitals',
      label: 'a request without a token, with the path in capitals',
      form: { ...form, path: capitals },
    },
    {
      slug: 'slash',
      label: 'a request without a token, with a slash at the end',
      form: { ...form, path: `${form.path}/` },
    },
    { slug: 'head', label: 'a HEAD request without a token', method: 'HEAD' },
  ];
  for (const { slug, ...spelling } of spellings) {
    const exchange = await t.sendQuietly(operation, { ...request, ...spelling, identity: 'none', valid: false });
    // Some gateways answer unknown paths with an HTML page.
    if (!isSuccess(statusOf(exchange)) || exchange.response?.mediaType?.includes('json') !== true) continue;
    const status = { code: 'authentication/accepted', slug: `no-token-${slug}`, requirement: 'auth.missing' } as const;
    t.report(wrongStatus(operation, exchange, { ...status, request: spelling.label, expected: 'status 401' }));
  }
}
