/** A path template without parameter names, in lower case. */
export function templateKey(path: string): string {
  return path
    .replace(/\{[^{}/]*\}/g, '{}')
    .replace(/\/+$/, '')
    .toLowerCase();
}

/** The collection of items that are added below another one and have a path of their own: `/books` for `/authors/{id}/books`. */
export function ownCollection(path: string): string {
  return templateKey(path).replace(/(?:\/[^/{}]+\/\{\})+(?=\/[^/{}]+$)/, '');
}

/**
 * The paths, as {@link templateKey}, of the items that a POST to a collection adds, without their id: its own, and that with its last word
 * in the singular, as `/silence/{id}` for `/silences`.
 */
export function itemPaths(path: string): readonly string[] {
  const own = templateKey(path);
  if (own.includes('{')) return [own];
  return [own, ...new Set([/s$/, /es$/, /ies$/].map((end, at) => own.replace(end, at === 2 ? 'y' : '')))];
}
