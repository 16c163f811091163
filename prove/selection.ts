import type { Defect } from './defect.ts';
import type { Proof } from './exam/proofs.ts';

/** Defects of one origin in the default selection. */
const PER_ORIGIN = 2;

/** A number that depends on the text only: the same selection in every run. */
export const hash = (text: string): number => [...Buffer.from(text)].reduce((sum, byte) => (sum * 31 + byte) >>> 0, 7);

/** `perOrigin` defects of each operator, of the exam and of the service, spread over the operations, and all that prove a check. */
export function representative(
  defects: Iterable<Defect>,
  proofs: Readonly<Record<string, Proof>>,
  perOrigin = PER_ORIGIN,
): readonly Defect[] {
  const all = [...defects];
  const proving = new Set(Object.values(proofs).map(defectThatProves));
  const origins = [...new Set(all.map(({ origin }) => origin))];
  const chosen = new Set(
    origins.flatMap((origin) =>
      spread(
        all.filter((defect) => defect.origin === origin),
        isByHand(origin) ? perOrigin * 8 : perOrigin,
      ),
    ),
  );
  return all.filter((defect) => chosen.has(defect) || proving.has(defect.name));
}

const isByHand = (origin: string): boolean => origin === 'exam' || origin === 'service';

/** Some of a group, the same ones each time. */
export const spread = (group: readonly Defect[], count: number): readonly Defect[] =>
  group.toSorted((a, b) => hash(a.name) - hash(b.name)).slice(0, count);

/** Name of the defect that proves a check, if one does. */
export const defectThatProves = (proof: Proof): string | undefined => ('catches' in proof ? proof.catches : undefined);

const globOf = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .split('*')
      .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`))
      .join('.*')}$`,
    'i',
  );

/** True for a name that fits a pattern; `*` stands for any text. */
export const matchesName = (pattern: string, name: string): boolean => globOf(pattern).test(name);

/** Defects whose name fits a pattern: a name, an operator, an operation, or any of these with `*`. */
export function matching(defects: Iterable<Defect>, pattern: string): readonly Defect[] {
  const glob = globOf(pattern);
  return [...defects].filter(({ name, origin, operations: [operation] }) =>
    [name, origin, name.split(' ')[0] ?? '', operation ?? ''].some((each) => glob.test(each)),
  );
}
