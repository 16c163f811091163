import { globExpression } from '../spec/escape.ts';
import type { Defect } from './defect.ts';
import type { Proof } from './defects/proofs.ts';

/** Number of defects of each operator in the default selection. */
const PER_ORIGIN = 2;

/** A number that depends on the text only: the same selection in every run. */
export const hash = (text: string): number => [...Buffer.from(text)].reduce((sum, byte) => (sum * 31 + byte) >>> 0, 7);

/** Some defects of each operator, more of those written by hand and of the service, and every defect that proves a check. */
export function representative(defects: Iterable<Defect>, proofs: Readonly<Record<string, Proof>>): readonly Defect[] {
  const all = [...defects];
  const proving = new Set(Object.values(proofs).map(defectThatProves));
  const origins = [...new Set(all.map(({ origin }) => origin))];
  const chosen = new Set(
    origins.flatMap((origin) =>
      spread(
        all.filter((defect) => defect.origin === origin),
        isByHand(origin) ? PER_ORIGIN * 8 : PER_ORIGIN,
      ),
    ),
  );
  return all.filter((defect) => chosen.has(defect) || proving.has(defect.name));
}

const isByHand = (origin: string): boolean => origin === 'hand-written' || origin === 'service';

/** `count` defects of a group, the same in every run. */
export const spread = (group: readonly Defect[], count: number): readonly Defect[] =>
  group.toSorted((a, b) => hash(a.name) - hash(b.name)).slice(0, count);

/** Name of the defect that proves a check; undefined if a test proves it. */
export const defectThatProves = (proof: Proof): string | undefined => ('catches' in proof ? proof.catches : undefined);

/** True if a name matches a pattern; `*` is a wildcard. */
export const matchesName = (pattern: string, name: string): boolean => globExpression(pattern).test(name);

/** Defects that match a pattern: a name, an operator or an operation, with `*` as a wildcard. */
export function matching(defects: Iterable<Defect>, pattern: string): readonly Defect[] {
  const glob = globExpression(pattern);
  return [...defects].filter(({ name, origin, operations: [operation] }) =>
    [name, origin, name.split(' ')[0] ?? '', operation ?? ''].some((each) => glob.test(each)),
  );
}
