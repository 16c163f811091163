const PLAIN = new Set(['application/json', 'application/json-patch+json', 'text/json']);

/** True for supported request media types. */
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

const OFFERED = ['application/json', 'text/json', 'text/plain'] as const;
type Offered = (typeof OFFERED)[number];

/** Selects the response's media type. Anything unknown gets `application/json`, as the framework of the real service does. */
export function negotiate(accept: string | undefined): Offered {
  if (accept === undefined || accept === 'application/json' || accept === '*/*') return 'application/json';
  let best: Offered = 'application/json';
  let bestQuality = 0;
  for (const range of accept.split(',')) {
    const [name = '', ...parameters] = range.split(';');
    const quality = qualityOf(parameters);
    const type = offeredFor(name.trim().toLowerCase());
    if (type !== undefined && quality > bestQuality) [best, bestQuality] = [type, quality];
  }
  return best;
}

function offeredFor(range: string): Offered | undefined {
  if (range === '*/*' || range === 'application/*') return 'application/json';
  if (range === 'text/*') return 'text/json';
  return OFFERED.find((type) => type === range);
}

function qualityOf(parameters: readonly string[]): number {
  const q = parameters.map((part) => part.trim()).find((part) => /^q=/i.test(part));
  if (q === undefined) return 1;
  const value = Number(q.slice(2));
  return Number.isFinite(value) ? value : 1;
}
