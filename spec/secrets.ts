import { createRedactor } from './redact.ts';
import type { Redactor } from './redact.ts';

/** The secrets to redact; renewed tokens are added during the run. */
export class Secrets implements Redactor {
  readonly #known = new Map<string, string>();
  #redactor: Redactor | undefined;

  /** Replaces the secret with a name from now on. */
  keep(secret: string, name: string): void {
    if (this.#known.get(secret) === name) return;
    this.#known.set(secret, name);
    this.#redactor = undefined;
  }

  text(text: string): string {
    return this.#current().text(text);
  }

  bytes(bytes: Uint8Array): Uint8Array {
    return this.#current().bytes(bytes);
  }

  #current(): Redactor {
    this.#redactor ??= createRedactor(this.#known);
    return this.#redactor;
  }
}
