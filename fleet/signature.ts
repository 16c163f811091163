import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Signs messages with HMAC-SHA-256, so that write access to the broker is not enough to control a fleet. Every message
 * names its run, and announcements and ticks a time, so that an old one has no effect.
 */
export class Signer {
  readonly #key: string;

  /** @param key shared by the controller and all agents; may be empty on loopback only. */
  constructor(key = '') {
    this.#key = key;
  }

  sign(message: unknown): string {
    const text = JSON.stringify(message);
    return `${this.#digest(text)}.${text}`;
  }

  /** The message text without its signature, which is not checked. */
  static textOf(signed: string): string {
    return signed.slice(signed.indexOf('.') + 1);
  }

  /** The message, or undefined if the signature is wrong. */
  verify(signed: string): unknown {
    const dot = signed.indexOf('.');
    const text = Signer.textOf(signed);
    const [received, expected] = [Buffer.from(signed.slice(0, Math.max(0, dot))), Buffer.from(this.#digest(text))];
    if (received.length !== expected.length || !timingSafeEqual(received, expected)) return undefined;
    try {
      return JSON.parse(text) as unknown;
    } catch {
      return undefined;
    }
  }

  #digest(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64url');
  }
}
