import type { FindingCode } from './finding-codes.ts';

const OF_OTHER_ITEMS: readonly string[] = [
  'updated-reads-back/other-item',
  'deleted-is-gone/other-item',
  'activation/other-policy',
  'approvals/other-result',
  'approvals/other-job',
  'model-conformance/other-item',
] satisfies readonly FindingCode[];

/** True for calls that change other items than their own. */
export function changesOtherItems(code: string): boolean {
  return OF_OTHER_ITEMS.includes(code);
}

/**
 * True for violations whose effects other tests may see: by overlapping calls, by calls that change other items than their own,
 * and by reads that return other items, which may get the responses of overlapping ones.
 */
export function affectsOtherTests(code: string): boolean {
  return code.startsWith('overlap/') || code === 'own-id/other' || changesOtherItems(code);
}
