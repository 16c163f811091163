const PLAIN = new Set(['application/json', 'application/json-patch+json', 'text/json']);

/** True for the request media types that the service reads. */
export function isAccepted(contentType: string | undefined): boolean {
  if (contentType === undefined) return false;
  const type = mediaType(contentType);
  return PLAIN.has(type) || /^application\/[^\s/+]+\+json$/.test(type);
}

/** A Content-Type without its parameters, in lower case. */
export function mediaType(contentType: string): string {
  const end = contentType.indexOf(';');
  return (end < 0 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
}
