/** Names of headers whose values are secrets. */
const SECRET = /auth|token|key|secret|passw|cookie|credential|signature|session|cert/i;

/** Headers that the client or the tests set themselves. */
const OWN: ReadonlySet<string> = new Set([
  'accept',
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'te',
  'transfer-encoding',
  'upgrade',
]);

/** True for a header that the user must not set. */
export function isOwnHeader(name: string): boolean {
  return OWN.has(name.toLowerCase());
}

/** The variable whose name replaces the value of a secret header; undefined if the value may be shown. */
export function headerVariable(name: string): string | undefined {
  return SECRET.test(name) ? `ASSAY_HEADER_${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}` : undefined;
}

/** The headers for display: names in lower case, secrets as `$VARIABLE`. */
export function shownHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const variable = headerVariable(name);
      return [name.toLowerCase(), variable === undefined ? value : `$${variable}`];
    }),
  );
}

/** The values that must not be shown, each with the variable that replaces it. */
export function secretValues(headers: Readonly<Record<string, string>>): readonly (readonly [string, string])[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    const variable = headerVariable(name);
    return variable === undefined ? [] : [[value, `$${variable}`] as const];
  });
}
