import { Secrets } from '../spec/secrets.ts';

const secrets = new Secrets();

/** Replaces this value in all output of the process, however it is encoded, by the name of its variable. */
export function keepSecret(value: string, variable: string): void {
  secrets.keep(value, `$${variable}`);
}

export function redact(text: string): string {
  return secrets.text(text);
}

/** The value with secrets replaced in all its texts; the same object where there are none. */
export function redactAll<T>(value: T): T {
  const written = JSON.stringify(value);
  return written === undefined || redact(written) === written ? value : (cleaned(value) as T);
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [redact(key), cleaned(member)]));
}
