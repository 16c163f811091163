import type { TestContext } from '../../kit/context.ts';
import { orderEntries } from './ordering.ts';

/** How often, and how far apart in milliseconds, the order is watched. */
const LOOKS = 6;
const APART_MS = 40;

/**
 * True where somebody else sets the order at this very moment, so that what is read of it tells nothing: the policies of others
 * change their places among each other while this run does nothing, and its own keep theirs. An order that turns all of them
 * each time it is read is no such thing.
 */
export async function othersSetTheOrder(t: TestContext): Promise<boolean> {
  const { made } = t.session;
  const split = async (): Promise<{ readonly own: readonly string[]; readonly others: readonly string[] }> => {
    const ids = [...(await orderEntries(t)).keys()];
    return { own: ids.filter((id) => made.has(id)), others: ids.filter((id) => !made.has(id)) };
  };
  let [before, moved, kept] = [await split(), false, true];
  for (let look = 1; look < LOOKS; look += 1) {
    await new Promise((resolve) => {
      setTimeout(resolve, APART_MS);
    });
    const now = await split();
    moved ||= !alike(before.others, now.others);
    kept &&= alike(before.own, now.own);
    before = now;
  }
  return moved && kept;
}

/** True where what both have stands in the same order. */
function alike(before: readonly string[], now: readonly string[]): boolean {
  const [had, has] = [new Set(before), new Set(now)];
  const common = now.filter((id) => had.has(id));
  return before.filter((id) => has.has(id)).every((id, at) => id === common[at]);
}
