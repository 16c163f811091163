const TICKS = 5;

export interface Scale {
  (value: number): number;
  readonly ticks: readonly number[];
}

/** From `bottom` to at least `top`, rounded outwards to a tick; `whole`: ticks at whole numbers only. */
export function linearScale(bottom: number, top: number, from: number, to: number, whole = false): Scale {
  const step = Math.max(whole ? 1 : 0, niceStep((top - bottom || 1) / TICKS));
  const low = Math.floor(bottom / step) * step;
  const high = Math.max(low + step, Math.ceil(top / step - 1e-9) * step);
  const ticks = Array.from({ length: Math.round((high - low) / step) + 1 }, (_, index) => low + index * step);
  return Object.assign((value: number) => from + ((value - low) / (high - low)) * (to - from), { ticks });
}

/** Powers of ten around the values; what is zero or less is drawn at the lower end. */
export function logScale(bottom: number, top: number, from: number, to: number): Scale {
  const low = Math.floor(Math.log10(Math.max(bottom, 1e-3)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(top, 1e-3)) - 1e-9));
  const ticks = Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index));
  return Object.assign(
    (value: number) => from + ((Math.log10(Math.max(value, 10 ** low)) - low) / (high - low)) * (to - from),
    { ticks },
  );
}

function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const share = rough / power;
  return (share <= 1 ? 1 : share <= 2 ? 2 : share <= 5 ? 5 : 10) * power;
}
