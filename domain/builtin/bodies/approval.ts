import { randomUuid } from '../../../generators/schema/formats/identifiers.ts';
import type { BodyKind } from './domain-generator.ts';
import { field, list, size } from './fields.ts';

const overridden = field('overridden text');

/** Approvals and rejections of existing results and of some that do not exist. */
export function approvalKind(resultIds: readonly string[] = []): BodyKind {
  return {
    make: (draw) => ({
      results: list(draw, size(draw, 'approvals', 60), () => ({
        resultId:
          resultIds.length > 0 && draw.random.chance(0.8) ? draw.random.pick(resultIds) : randomUuid(draw.random),
        userOverride: draw.random.chance(0.6)
          ? []
          : list(draw, size(draw, 'overrides', 60), () => ({ op: 'replace', path: '/name', value: overridden(draw) })),
      })),
      action: draw.random.int(0, 1),
    }),
  };
}

export const bulkApprovalKind: BodyKind = { make: (draw) => ({ action: draw.random.int(0, 1) }) };
