import type { Exchange, FindingCode, Json, Operation, Violation } from '../../../spec/index.ts';
import { idOf, sameId } from '../../../domain/items.ts';
import type { TestContext } from '../../kit/context.ts';
import { violationOf } from '../../kit/violation.ts';
import { describeObserved, describeOutcomes, isSent, isShown } from '../../oracle/index.ts';
import type { Known, RequestKind, Observed, Request, allowed } from '../../oracle/index.ts';
import { changedMember, operationFor } from './items.ts';
import type { Family, TrackedItem } from './items.ts';

/** The call before the state was checked. */
export interface Action {
  readonly kind: RequestKind | 'create' | 'set-order' | 'wait';
  readonly isRefused: boolean;
  /** Undefined after waiting. */
  readonly operation?: Operation;
  /** The item that it was about. */
  readonly item?: TrackedItem;
}

/** What a read after an action showed of an item. */
export interface ItemReading {
  readonly item: TrackedItem;
  readonly request: Request;
  readonly observed: Observed;
  /** The item as it was shown. */
  readonly json: Json | undefined;
  readonly exchange: Exchange;
  /** True where the list of the policies in the other state shows the item. */
  readonly isMoved?: boolean;
}

type Allowed = ReturnType<typeof allowed>;

/** What the oracle does not allow a read to show. The same defect has the same code in the other suites. */
export function violationAfter(
  t: TestContext,
  family: Family,
  action: Action,
  reading: ItemReading,
  { outcomes, steps }: { readonly outcomes: Allowed; readonly steps: readonly Exchange[] },
): Violation {
  const { item, observed, exchange, request } = reading;
  const rule = ruleFor(t, action, reading);
  const reads = operationFor(t, family, request.kind) as Operation;
  const shown = rule.code === 'deleted-is-gone/readable' ? item.shownBy.get(exchange.form) : undefined;
  const operation = rule.isOfRead === true ? reads : (action.operation ?? reads);
  const when = WHEN[rule.code];
  const state = IN_WORDS[rule.subject ?? ''];
  return violationOf(rule.code, operation, {
    subject: rule.subject,
    message: when === undefined || state === undefined ? undefined : `${operation.id}: ${when}, the item ${state}`,
    requirement: rule.requirement,
    expected: describeOutcomes(outcomes),
    received: describeObserved(observed),
    exchanges: stepsOf(
      item,
      [...(shown === undefined ? [] : [shown]), ...steps, exchange].toSorted((a, b) => a.sentAt - b.sentAt),
    ),
  });
}

/** The steps, beginning with the creation of the item. */
export function stepsOf({ created }: TrackedItem, steps: readonly Exchange[]): readonly Exchange[] {
  return [created, ...steps.filter(({ id }) => id !== created.id)];
}

interface Rule {
  readonly code: FindingCode;
  readonly subject?: string | undefined;
  readonly requirement?: string | undefined;
  /** The finding is about the operation that read the state. */
  readonly isOfRead?: boolean;
}

function ruleFor(t: TestContext, action: Action, reading: ItemReading): Rule {
  const { kind } = action;
  if (action.isRefused) {
    return { code: 'refused-changes-nothing/changed-data', requirement: 'auth.refused-changes-nothing' };
  }
  if (kind === 'wait') return { code: 'model-conformance/not-lasting', subject: differenceOf(reading) };
  return action.item === reading.item ? ruleForItem(t, kind, reading) : ruleForOther(t, kind, reading);
}

function ruleForOther(t: TestContext, kind: Action['kind'], { item, request }: ItemReading): Rule {
  const { update, remove } = t.knowledge.lifecycleRequirements(item.resource);
  if (kind === 'delete') return { code: 'deleted-is-gone/other-item', requirement: remove[0] };
  if (kind === 'update') return { code: 'updated-reads-back/other-item', requirement: update[0] };
  const isActivation = kind === 'activate' || kind === 'deactivate';
  if (isActivation && request.kind === 'list-active') {
    return { code: 'activation/other-policy', requirement: `policies.${kind}` };
  }
  return { code: 'model-conformance/other-item' };
}

function ruleForItem(t: TestContext, kind: Action['kind'], reading: ItemReading): Rule {
  switch (kind) {
    case 'activate':
    case 'deactivate':
      return ruleForActivation(kind, reading);
    case 'delete':
      return ruleForDeletion(t, reading);
    case 'update':
      return reading.request.kind === 'list-active' ? ruleForState(reading) : ruleForUpdate(t, reading);
    case 'patch':
      return { code: 'json-patch/result', subject: 'replace', requirement: 'jobs.patch-applies' };
    case 'dry-run':
      return { code: 'dry-run/changed-job', requirement: 'runs.dry-run-changes-nothing' };
    case 'preview':
      return { code: 'dry-run/changed-job', requirement: 'jobs.preview-changes-nothing' };
    default:
      return otherState(reading);
  }
}

function ruleForActivation(kind: 'activate' | 'deactivate', reading: ItemReading): Rule {
  const requirement = `policies.${kind}`;
  if (!isShown(reading.observed.status)) return otherState(reading);
  if (reading.request.kind !== 'list-active') return { code: 'activation/changed-content', requirement };
  return { code: kind === 'activate' ? 'activation/not-active' : 'activation/not-inactive', requirement };
}

function ruleForDeletion(t: TestContext, { item, request, observed: { status }, json }: ItemReading): Rule {
  const [requirement] = t.knowledge.lifecycleRequirements(item.resource).remove;
  if (request.kind !== 'read') return { code: 'deleted-is-gone/listed', requirement, isOfRead: true };
  // Another body with a success is no item: the read has a wrong status.
  if (isShown(status) && sameId(idOf(json), item.id)) return { code: 'deleted-is-gone/readable', requirement };
  return { code: 'deleted-is-gone/status', subject: String(status), requirement, isOfRead: true };
}

function ruleForUpdate(t: TestContext, { item, request, observed, json }: ItemReading): Rule {
  const [requirement] = t.knowledge.lifecycleRequirements(item.resource).update;
  if (request.kind !== 'read') {
    const isListed = observed.listed === true;
    return { code: isListed ? 'updated-reads-back/listed-member' : 'updated-reads-back/not-listed', requirement };
  }
  if (!isShown(observed.status)) return { code: 'updated-reads-back/not-readable', requirement };
  return { code: 'updated-reads-back/member', subject: changedMember(json, item), requirement };
}

/** A policy in another state after an update whose body contains the current one: that an update keeps it is not documented. */
function ruleForState(reading: ItemReading): Rule {
  const { item, observed, isMoved = observed.content === item.known.content } = reading;
  if (!isMoved) return otherState(reading);
  return { code: 'activation/changed-by-update', requirement: 'published.policy-state' };
}

function otherState(reading: ItemReading): Rule {
  return { code: 'model-conformance/state', subject: differenceOf(reading) };
}

/** How a read differs from what is known, without ids and contents. */
function differenceOf({ item: { known }, request, observed: { status, listed, content } }: ItemReading): string {
  if (request.kind === 'read' && (isShown(status) ? !known.exists : known.exists || status !== 404))
    return `status-${status}`;
  if (content !== undefined && content !== known.content) {
    return isSent(content) ? 'earlier-content' : 'other-content';
  }
  const filter = request.kind === 'list-active' ? `-${request.filterActive ? 'active' : 'inactive'}` : '';
  return `${listed === true ? 'listed' : 'not-listed'}${filter}`;
}

/** When an item shows a state that no call set. */
const WHEN: Readonly<Partial<Record<FindingCode, string>>> = {
  'model-conformance/state': 'after the call',
  'model-conformance/not-lasting': 'some time after the last call, though not at once',
};

/** What {@link differenceOf} returns, in words. */
const IN_WORDS: Readonly<Record<string, string>> = {
  'earlier-content': 'has the content of an earlier call',
  'other-content': 'has a content that no call sent',
  listed: 'is still listed',
  'not-listed': 'is not listed',
  'listed-active': 'is in the list of active items, but must not be',
  'listed-inactive': 'is in the list of inactive items, but must not be',
  'not-listed-active': 'is not in the list of active items, but must be',
  'not-listed-inactive': 'is not in the list of inactive items, but must be',
};

/** The violation where the response to a call has a status that the oracle does not allow. */
export function unexpectedStatus(
  operation: Operation,
  item: TrackedItem,
  known: Known,
  status: number,
  { outcomes, steps }: { readonly outcomes: Allowed; readonly steps: readonly Exchange[] },
): Violation {
  const isServed = status >= 200 && status < 300;
  const ofDeleted = isServed ? 'deleted-is-gone/served' : 'deleted-is-gone/status';
  return violationOf(known.exists ? 'model-conformance/status' : ofDeleted, operation, {
    subject: known.exists || !isServed ? String(status) : undefined,
    requirement: known.exists ? undefined : 'errors.not-found',
    expected: describeOutcomes(outcomes),
    received: describeObserved({ status }),
    exchanges: stepsOf(item, steps),
  });
}
