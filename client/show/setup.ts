import { groupBy } from '../../spec/group-by.ts';
import type { Exchange } from '../../spec/index.ts';
import { textOf } from './ids.ts';

/** Most kinds of creations with which a script fills a list. */
const MOST_VARIANTS = 3;

/** Requests of a set-up that differ only in names and numbers, by the first of each kind; kinds differ in the members that are empty. */
export function variantsOf(setup: readonly Exchange[]): readonly (readonly [first: Exchange, times: number])[] {
  const kinds = [...groupBy(setup, ({ request: { body } }) => emptyMembers(textOf(body))).values()];
  const isShown = kinds.length <= MOST_VARIANTS;
  return (isShown ? kinds : [setup]).flatMap(([first, ...more]) =>
    first === undefined ? [] : [[first, more.length + 1] as const],
  );
}

function emptyMembers(text: string): string {
  return [...text.matchAll(/"([^"\\]+)":(?:null|"")/g)].map(([, name = '']) => name).join();
}
