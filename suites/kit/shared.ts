import { Disturbed, Postponed } from './context.ts';

/** How often something shared is made anew after a request for it was postponed. */
const MOST_ATTEMPTS = 3;

/** What tests share: each is made once, by the first test that needs it, and fails for all where that fails for good. */
export class Shared {
  readonly #made = new Map<string, Promise<unknown>>();
  readonly #postponed = new Map<string, number>();
  readonly #failed = new Set<string>();

  once<T>(key: string, make: () => Promise<T>): Promise<T> {
    const known = this.#made.get(key) ?? make();
    this.#made.set(key, known);
    known.catch((error: unknown) => {
      this.#failed.add(key);
      if (this.#made.get(key) === known && this.#mayPassNext(key, error)) this.#made.delete(key);
    });
    return known as Promise<T>;
  }

  #mayPassNext(key: string, error: unknown): boolean {
    if (!(error instanceof Postponed)) return error instanceof Disturbed;
    const attempts = (this.#postponed.get(key) ?? 0) + 1;
    this.#postponed.set(key, attempts);
    return attempts < MOST_ATTEMPTS;
  }

  forget(): void {
    this.#made.clear();
  }

  /** What has failed so far is made again when it is needed next. */
  forgetFailed(): void {
    for (const key of this.#failed) this.#made.delete(key);
    this.#failed.clear();
  }
}
