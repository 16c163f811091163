import { checkOf } from '../../spec/index.ts';
import type { Violation } from '../../spec/index.ts';
import type { FindingSources } from './finding.ts';
import { bodyText, idsIn } from './ids.ts';

/** The violation, with the requests before its own that may be the reason for it, as far as the run knows them. */
export function withStepsBefore(violation: Violation, sources: FindingSources): Violation {
  return withUpdateBefore(withSameName(withReadBefore(withDeletion(violation, sources), sources), sources), sources);
}

/** Two creations that returned one id, with the deletion of the first item between them: an id may have been used again. */
function withDeletion(violation: Violation, { changes }: FindingSources): Violation {
  const [first, second, ...others] = violation.exchanges;
  if (violation.code !== 'created-reads-back/same-id' || second === undefined || others.length > 0) return violation;
  const deletion = idsIn(bodyText(second.response?.body))
    .flatMap((id) => changes?.(id) ?? [])
    .find(({ request, sentAt }) => request.method === 'DELETE' && sentAt < second.sentAt);
  return first === undefined || deletion === undefined
    ? violation
    : { ...violation, exchanges: [first, deletion, second] };
}

/** A read that should have been refused, after the read with the full token: a cache may have kept the answer to that one. */
function withReadBefore(violation: Violation, { readBefore }: FindingSources): Violation {
  const [only, ...others] = violation.exchanges;
  const isAccepted = /^(?:authentication|authorisation)\/accepted$/.test(violation.code);
  if (only?.request.method !== 'GET' || others.length > 0 || !isAccepted) return violation;
  const before = readBefore?.(only) ?? readBefore?.(only, true);
  return before === undefined ? violation : { ...violation, exchanges: [before, only] };
}

/** A creation that fails with a server error, after that (and the deletion) of an item with the same name: a unique name may be the reason. */
function withSameName(violation: Violation, { sameName }: FindingSources): Violation {
  const [only, ...others] = violation.exchanges;
  const mayConflict = violation.code === 'no-server-error/status' && only?.request.method === 'POST';
  const before = mayConflict && others.length === 0 ? (sameName?.(only) ?? []) : [];
  return before.length === 0 ? violation : { ...violation, exchanges: [...before, ...violation.exchanges] };
}

/** An update after the last one: what is read back may be a part of it, and the same update once more changes nothing. */
function withUpdateBefore(violation: Violation, { changes }: FindingSources): Violation {
  const { code, exchanges } = violation;
  const at = exchanges.findIndex(({ request: { method } }) => method === 'PUT');
  const update = exchanges[at];
  if (update === undefined || checkOf(code) === 'overlap') return violation;
  const { url, body } = update.request;
  const before = changes?.(idsIn(url.split('?', 1)[0] ?? '').at(-1) ?? '')
    .filter(({ operation, sentAt }) => operation === update.operation && sentAt < update.sentAt)
    .at(-1);
  const mayMatter =
    before !== undefined &&
    !exchanges.some(({ id }) => id === before.id) &&
    (checkOf(code) === 'updated-reads-back' || bodyText(before.request.body) === bodyText(body));
  return mayMatter ? { ...violation, exchanges: exchanges.toSpliced(at, 0, before) } : violation;
}
