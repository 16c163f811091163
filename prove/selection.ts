import type { Defect } from './defect.ts';
import type { Proof } from './exam/proofs.ts';

/** Defects of one origin in the default selection. */
const PER_ORIGIN = 2;

/** A small number that depends on the name only. */
function hash(text: string): number {
  let sum = 7;
  for (const byte of Buffer.from(text)) sum = (sum * 31 + byte) >>> 0;
  return sum;
}

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

/** Defects whose name fits one of the patterns: a name, an operator, an operation, or any of these with `*`. */
export function matching(defects: Iterable<Defect>, pattern: string): readonly Defect[] {
  const glob = new RegExp(
    `^${pattern
      .split('*')
      .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`))
      .join('.*')}$`,
    'i',
  );
  return [...defects].filter(
    ({ name, origin, operations }) =>
      glob.test(name) ||
      glob.test(origin) ||
      glob.test(name.split(' ')[0] ?? '') ||
      (operations[0] !== undefined && glob.test(operations[0])),
  );
}
