export { allowed, allowedOverlapping, isReadRequest, ITEM_SPECIFICATION } from './allowed.ts';
export type { RequestKind, Request } from './allowed.ts';
export { approval } from './approval.ts';
export type { KnownResult } from './approval.ts';
export type { Known } from './item.ts';
export { orderDifference, setOrder, withoutDeleted } from './order.ts';
export type { KnownOrder } from './order.ts';
export { describeContent, describeObserved, describeOutcomes, isSent, isShown, narrow } from './outcome.ts';
export type { Observed } from './outcome.ts';
