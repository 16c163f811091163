/** A few things that are each used by one at a time. */
export interface Lanes<T> {
  readonly all: readonly T[];
  /** Waits for a free one. */
  use<R>(work: (lane: T) => Promise<R>): Promise<R>;
}

export function makeLanes<T>(all: readonly T[]): Lanes<T> {
  const free = [...all];
  const waiting: ((lane: T) => void)[] = [];
  const take = (): Promise<T> => {
    const lane = free.pop();
    return lane === undefined
      ? new Promise((resolve) => {
          waiting.push(resolve);
        })
      : Promise.resolve(lane);
  };
  const give = (lane: T): void => {
    const next = waiting.shift();
    if (next === undefined) free.push(lane);
    else next(lane);
  };
  return {
    all,
    async use(work) {
      const lane = await take();
      try {
        return await work(lane);
      } finally {
        give(lane);
      }
    },
  };
}
