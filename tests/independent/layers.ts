/** Short ways to write a layer that changes one operation. */
import { isItem } from './model.ts';
import type { Item } from './model.ts';
import type { Answer, Call, Layer, Service } from './service.ts';

const ID = '[0-9a-f-]{36}';
/** Whether a call is of this operation: `GET /aijob/{}`. */
export const is = (call: Call, ...operations: string[]): boolean =>
  operations.some((operation) => {
    const [method, path = ''] = operation.split(' ');
    return (
      call.method === method &&
      new RegExp(`^${path.replaceAll('{}', ID).replaceAll('{type}', '[^/]+')}$`, 'i').test(call.path)
    );
  });
export const ask =
  (operation: string, change: (call: Call, service: Service) => Partial<Call> | undefined): Layer =>
  (call, next, service) =>
    next(is(call, operation) ? { ...call, ...change(call, service) } : call);
export const reply =
  (operation: string, change: (answer: Answer, call: Call, service: Service) => Answer | void): Layer =>
  async (call, next, service) => {
    const answer = await next(call);
    return is(call, operation) ? (change(answer, call, service) ?? answer) : answer;
  };
export const query = (call: Call, changes: Record<string, string | undefined>): Partial<Call> => {
  const changed = new URLSearchParams(call.query);
  for (const [key, value] of Object.entries(changes))
    if (value === undefined) changed.delete(key);
    else changed.set(key, value);
  return { query: changed };
};
export const as = (token: string, call: Call): Partial<Call> => ({
  headers: { ...call.headers, authorization: `Bearer ${token}` },
});
export const who = (call: Call): string => call.headers['authorization']?.slice(7) ?? '';
export const ok = (answer: Answer): boolean => answer.status === 200;
export const json = (call: Call): unknown => {
  try {
    return JSON.parse(call.body);
  } catch {
    return undefined;
  }
};
export const members = (call: Call, change: (body: Item) => Item): Partial<Call> => {
  const body = json(call);
  return isItem(body) ? { body: JSON.stringify(change(body)) } : {};
};
export const without = (item: Item, field: string): Item =>
  Object.fromEntries(Object.entries(item).filter(([key]) => key !== field));
export const idOf = (call: Call): string => new RegExp(`/(${ID})`, 'i').exec(call.path)?.[1]?.toLowerCase() ?? '';
export const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
export const LIST = 'GET /accesscontrolpolicies';
export const num = (call: Call, name: string, fallback: number): number => Number(call.query.get(name) || fallback);
export const filters = (call: Call): [string, string][] =>
  [...call.query].filter(([key]) => key.startsWith('metadataFilter['));

/** Answers a GET from memory until `forget` says so. */
export function cached(operation: string, forgets: (call: Call) => boolean): Layer {
  const kept = new Map<string, Answer>();
  return async (call, next) => {
    if (forgets(call)) kept.clear();
    if (!is(call, operation)) return next(call);
    const key = `${who(call)} ${call.path}?${String(call.query)}`;
    const answer = kept.get(key) ?? (await next(call));
    if (ok(answer)) kept.set(key, answer);
    return answer;
  };
}

/** Changes each object in a body, from the inside out. */
export const deep = (value: unknown, change: (item: Item) => unknown): unknown => {
  if (Array.isArray(value)) return value.map((each) => deep(each, change));
  if (!isItem(value)) return value;
  return change(Object.fromEntries(Object.entries(value).map(([key, each]) => [key, deep(each, change)])));
};
export const answers =
  (change: (answer: Answer, call: Call) => Answer): Layer =>
  async (call, next) =>
    change(await next(call), call);
export const bodies = (change: (item: Item) => unknown): Layer =>
  answers((answer) => ({ ...answer, body: deep(answer.body, change) }));
