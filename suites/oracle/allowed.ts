import type { Identity } from '../../spec/index.ts';
import { listActive, move } from './activation.ts';
import type { ActivationRequest } from './activation.ts';
import { refusal } from './identity.ts';
import { list, read, remove, write } from './item.ts';
import type { ItemRequest } from './item.ts';
import { queue, rehearse } from './job.ts';
import type { JobRequest } from './job.ts';
import type { Known } from './known.ts';
import type { Oracle, Outcome } from './outcome.ts';

/** A request about one thing. */
export type Request = ItemRequest | ActivationRequest | JobRequest;
export type Kind = Request['kind'];

type Rules = { readonly [K in Kind]: Oracle<Known, Extract<Request, { readonly kind: K }>> };

const RULES: Rules = {
  read,
  list,
  update: write,
  patch: write,
  delete: remove,
  activate: move,
  deactivate: move,
  'list-active': listActive,
  queue,
  'dry-run': rehearse,
  preview: rehearse,
};

/** Everything that the document allows for a request about one thing, by a caller of that identity. */
export function allowed(known: Known, request: Request, identity: Identity = 'full'): readonly Outcome<Known>[] {
  if (identity !== 'full') return [refusal(known, identity)];
  const rule = RULES[request.kind] as Oracle<Known, Request>;
  return rule(known, request);
}
