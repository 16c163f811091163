/** Simpler numbers on the way to each target, boldest first. */
export function* simplerNumbers(value: number, targets: readonly number[]): Iterable<number> {
  if (!Number.isInteger(value)) {
    yield Math.trunc(value);
    for (let digits = 1; digits <= 6; digits += 1) yield Number(value.toPrecision(digits));
    return;
  }
  if (value < 0) yield -value;
  for (const target of targets) yield* between(value, target);
}

function* between(value: number, target: number): Iterable<number> {
  for (let gap = value - target; Math.abs(gap) >= 1; gap = Math.trunc(gap / 2)) yield value - gap;
}
