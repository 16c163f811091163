const secrets = new Map<string, string>();

/** From now on this value stands in no output of the process; its variable's name stands there instead. */
export function keepSecret(value: string, variable: string): void {
  if (value.length >= 4) secrets.set(value, `$${variable}`);
}

/** The text without any secret. */
export function redact(text: string): string {
  let clean = text;
  for (const [value, name] of secrets) clean = clean.replaceAll(value, name);
  return clean;
}
