import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { parsedJson } from '../spec/json.ts';

/**
 * Signs messages with HMAC-SHA-256, so that write access to the broker is not enough to control a fleet. Every message
 * names its run, and announcements and ticks a time, so that an old one has no effect.
 */
export class Signer {
  readonly #key: KeyObject;

  /** @param key shared by the controller and all agents; may be empty on loopback only. */
  constructor(key = '') {
    this.#key = createSecretKey(key, 'utf8');
  }

  sign(message: unknown): string {
    const text = JSON.stringify(message);
    return `${this.#digest(text).toString('base64url')}.${text}`;
  }

  /** The message text without its signature, which is not checked. */
  static textOf(signed: string): string {
    return signed.slice(signed.indexOf('.') + 1);
  }

  /** The message, or undefined if the signature is wrong. */
  verify(signed: string): unknown {
    const text = Signer.textOf(signed);
    const received = Buffer.from(signed.slice(0, signed.length - text.length - 1), 'base64url');
    const expected = this.#digest(text);
    if (received.length !== expected.length || !timingSafeEqual(received, expected)) return undefined;
    return parsedJson(text);
  }

  #digest(text: string): Buffer {
    return createHmac('sha256', this.#key).update(text).digest();
  }
}
