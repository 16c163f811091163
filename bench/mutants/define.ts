import type { Make, Mutant } from './types.ts';

/** Makes the rows of one area's catalogue. */
export function area(
  name: string,
): (
  mutant: string,
  breaks: string,
  operations: string | readonly string[],
  make: Make,
  needs?: Mutant['needs'],
) => Mutant {
  return (mutant, breaks, operations, make, needs) => ({
    name: `${name}.${mutant}`,
    area: name,
    breaks,
    make,
    operations: typeof operations === 'string' ? [operations] : operations,
    ...(needs === undefined ? {} : { needs }),
  });
}
