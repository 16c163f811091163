import { parsedJson } from '../../spec/index.ts';
import { groupBy } from '../../spec/group-by.ts';
import type { Exchange } from '../../spec/index.ts';
import { bodyText } from './ids.ts';

/** Most kinds of creations with which a script fills a list. */
const MOST_VARIANTS = 3;

export function namesIn({ request: { body } }: Exchange): readonly string[] {
  return [...new Set(bodyText(body).match(/assay-[0-9a-z]+-[0-9a-z]+/gi))];
}

/** Requests of a set-up that differ only in names and numbers, by the first of each kind; kinds differ in the members that have a value. */
export function variantsOf(setup: readonly Exchange[]): readonly (readonly [first: Exchange, times: number])[] {
  const kinds = [...groupBy(setup, filledBy).values()];
  const isShown = kinds.length <= MOST_VARIANTS;
  return (isShown ? kinds : [setup]).flatMap(([first, ...more]) =>
    first === undefined ? [] : [[first, more.length + 1] as const],
  );
}

/** Names of the members that have a value: neither null nor an empty text. */
export function filledMembers(item: unknown): string {
  return Object.entries(item ?? {})
    .flatMap(([name, value]) => (value === null || value === '' ? [] : name))
    .join();
}

/** The same of the JSON body of a request. */
export function filledBy({ request: { body } }: Exchange): string {
  return filledMembers(parsedJson(bodyText(body)));
}
