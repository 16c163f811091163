import { isSuccess } from '../../spec/index.ts';
import { groupBy } from '../../spec/group-by.ts';
import type { Summary } from '../summary/types.ts';
import { amountOf, some, thousands } from './numbers.ts';

/** How many resources the run created, removed and left; those of an embedded service ended with it. */
export function effectTotals({ effects: { created, removed, left }, target }: Summary): string | undefined {
  if (created + left.length === 0) return undefined;
  const changed = `${thousands(created)} created, ${thousands(removed)} removed`;
  if (!target.embedded) return `${changed}, ${thousands(amountOf(left))} left`;
  return created > removed
    ? `${changed}, ${thousands(created - removed)} discarded with the embedded service`
    : changed;
}

type Left = Summary['effects']['left'];

const IDS = 3;

interface LeftGroup {
  readonly reason: string;
  /** The reason, and the first ids. */
  readonly text: string;
  readonly items: Left;
}

/** Resources that are left, by kind and why, the most frequent first; the reason is that of the first of them. */
export function groupLeft(left: Left): readonly LeftGroup[] {
  const groups = groupBy(left, ({ kind, status, reason }) => `${kind} ${status ?? reason}`);
  return [...groups.values()]
    .toSorted((a, b) => amountOf(b) - amountOf(a))
    .map((items) => {
      const reason = `${items[0]?.kind}: ${items[0]?.reason}`;
      return {
        reason,
        text: `${reason}: ${some(
          items.map(({ id }) => id),
          IDS,
        )}`,
        items,
      };
    });
}

const LASTING: readonly string[] = ['irreversible', 'costly'];

/** True for an operation whose effect stays after the run. */
export function isLasting(id: string, effect: string): boolean {
  return LASTING.includes(effect) && !id.startsWith('GET ');
}

/** `Requests with an effect that stays: POST /clue ×120`, and how many may have been served without an answer. */
export function lastingText({ operations, target, effects, scenarios = [] }: Summary): string | undefined {
  if (target.embedded) return undefined;
  const unanswered = scenarios.reduce((sum, { detail }) => sum + (detail?.sent?.unanswered ?? 0), 0);
  const served = (effects.lasting ?? lastingOf(operations)).filter(({ count }) => count > 0 || unanswered > 0);
  if (served.length === 0) return undefined;
  const more = unanswered === 0 ? '' : `, and up to ${thousands(unanswered)} more without an answer`;
  return `Requests with an effect that stays: ${served.map(({ id, count }) => `${id} ×${thousands(count)}`).join(', ')}${more}`;
}

function lastingOf(operations: Summary['operations']): NonNullable<Summary['effects']['lasting']> {
  return operations
    .filter(({ id, effect }) => isLasting(id, effect))
    .map(({ id, forms }) => {
      const statuses = Object.values(forms).flatMap((form) => Object.entries(form.statuses));
      const count = statuses.reduce((sum, [status, amount]) => sum + (isSuccess(Number(status)) ? amount : 0), 0);
      return { id, count };
    });
}
