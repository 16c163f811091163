import { isUnusable } from '../../spec/index.ts';
import { judgedIn } from './collected.ts';
import type { Collected } from './collected.ts';
import { Skip } from './context.ts';
import type { TestContext } from './context.ts';

/** The methods with which a test reports about itself, and its findings so far. */
export function recorder(
  collected: Collected,
): Pick<
  TestContext,
  'skip' | 'leavesOpen' | 'observe' | 'countCases' | 'recordLateChange' | 'cutShort' | 'isUnusable' | 'findings'
> {
  return {
    skip(reason) {
      throw new Skip(reason);
    },
    leavesOpen: (name) => void collected.open.add(name),
    observe(what, value, operation) {
      const place = operation === undefined ? {} : { operation: operation.id };
      collected.observations.push({ type: 'observation', what, value, ...place });
    },
    countCases(cases) {
      collected.cases += cases;
    },
    recordLateChange({ ms, looks }) {
      collected.late.push({ operation: collected.last, ms: Math.round(ms), looks });
    },
    cutShort(why) {
      collected.cutShort ??= why;
    },
    isUnusable: (exchange) => judgedIn(collected, exchange).some((each) => isUnusable(each.violation)),
    get findings() {
      return [...collected.findings.values()];
    },
  };
}
