const EXCERPT_LENGTH = 8;
const EXCERPT_BEFORE = 2;

const SHORT = 8;

/** Shows the start of ids; or the end, where starts are alike since they are a time (UUIDv7); or all where ends are alike too. */
function shortener(ids: readonly string[]): (id: string) => string {
  const amount = new Set(ids).size;
  const ways = [(id: string) => id.slice(0, SHORT), (id: string) => `…${id.slice(-SHORT)}`];
  return ways.find((shorten) => new Set(ids.map(shorten)).size === amount) ?? ((id) => id);
}

/** Shortened ids around the first difference; the exchanges show all of them. */
export function excerpt(ids: readonly string[], others: readonly string[]): string {
  const difference = ids.findIndex((id, at) => id !== others[at]);
  const from = Math.max(0, (difference === -1 ? ids.length : difference) - EXCERPT_BEFORE);
  const shorten = shortener([...ids, ...others]);
  const shown = ids.slice(from, from + EXCERPT_LENGTH).map(shorten);
  const isCut = ids.length > from + EXCERPT_LENGTH;
  const where = from > 0 ? `, from place ${from + 1}` : '';
  return `${from > 0 ? '… ' : ''}${shown.join(', ')}${isCut ? ' …' : ''} (of ${ids.length}${where})`;
}
