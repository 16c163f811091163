import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Signs what travels over the broker (HMAC-SHA-256), so that who can write to the broker cannot aim a fleet. The run and a
 * moment are part of every text, so that an old one cannot be played again.
 */
export class Signer {
  readonly #key: string;

  /** @param key shared by controller and agents; empty on loopback. */
  constructor(key = '') {
    this.#key = key;
  }

  sign(message: unknown): string {
    const text = JSON.stringify(message);
    return `${this.#of(text)}.${text}`;
  }

  /** The text that was signed. */
  static textOf(signed: string): string {
    return signed.slice(signed.indexOf('.') + 1);
  }

  /** The message, or undefined where its signature is wrong. */
  open(signed: string): unknown {
    const dot = signed.indexOf('.');
    const text = Signer.textOf(signed);
    const [given, own] = [Buffer.from(signed.slice(0, Math.max(0, dot))), Buffer.from(this.#of(text))];
    if (given.length !== own.length || !timingSafeEqual(given, own)) return undefined;
    try {
      return JSON.parse(text) as unknown;
    } catch {
      return undefined;
    }
  }

  #of(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64url');
  }
}
