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
