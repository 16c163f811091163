/** Reads what a call asks for. */
import { Refusal } from './model.ts';
import type { Item } from './model.ts';
import type { Call } from './service.ts';

export const int = (call: Call, name: string, fallback: number, least: number): number => {
  const text = call.query.get(name);
  if (text === null || text === '') return fallback;
  const value = Number(text);
  if (!/^[+-]?\d+$/.test(text) || value < least || value > 2 ** 31 - 1) throw new Refusal(400, `${name} is not valid`);
  return value;
};
export const flag = (call: Call, name: string): boolean | undefined => {
  const text = call.query.get(name)?.toLowerCase();
  if (text === undefined || text === '') return undefined;
  if (text !== 'true' && text !== 'false') throw new Refusal(400, `${name} is not a boolean`);
  return text === 'true';
};
export const choice = (call: Call, name: string, values: string[]): number => {
  const text = call.query.get(name)?.toLowerCase() ?? '0';
  const value = values.includes(text) ? values.indexOf(text) : Number(text);
  if (!(value in values)) throw new Refusal(400, `${name} is not valid`);
  return value;
};
export const slice = (call: Call, items: Item[]): Item[] => {
  const take = int(call, 'take', 20, 1);
  const from = int(call, 'page', 0, 0) * take;
  return items.slice(from, from + take);
};
export const paged = (call: Call, items: Item[]): Item => {
  const pageSize = int(call, 'pageSize', 10, 1);
  const currentPage = int(call, 'pageNumber', 1, 1);
  const ordered = choice(call, 'sortDirection', ['ascending', 'descending']) === 1 ? items.toReversed() : items;
  const data = ordered.slice((currentPage - 1) * pageSize, currentPage * pageSize);
  return { totalCount: items.length, pageSize, currentPage, data, totalPages: Math.ceil(items.length / pageSize) };
};
export const holds = (value: unknown, part: string): boolean =>
  (typeof value === 'string' ? value : '').toLowerCase().includes(part.toLowerCase());
export const json = (call: Call): unknown => {
  try {
    return JSON.parse(call.body) as unknown;
  } catch {
    throw new Refusal(400, 'the body is not JSON');
  }
};

export const one = (items: Item[], id: string | undefined): Item => {
  const found = items.find((item) => item['id'] === id?.toLowerCase());
  if (!found) throw new Refusal(404, 'no such item');
  return found;
};
export const summaryOf = (results: Item[]): Item[] => {
  const kinds = new Map<string, { type: unknown; status: unknown; count: number }>();
  for (const { type, state } of results) {
    const kind = kinds.get(`${String(type)} ${String(state)}`) ?? { type, status: state, count: 0 };
    kinds.set(`${String(type)} ${String(state)}`, { ...kind, count: kind.count + 1 });
  }
  return [...kinds.values()];
};
