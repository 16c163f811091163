import { isObject } from '../../spec/index.ts';
import type { Json } from '../../spec/index.ts';
import { simplerTexts } from './text.ts';
import { isSimpler } from './weight.ts';

/** Texts that stand in several places, made simpler in all of them at once: that they are equal may be the point. */
export function* simplerTwins(value: Json): Iterable<() => Json> {
  const counts = new Map<string, number>();
  countTexts(value, counts);
  for (const [text, count] of counts) {
    if (count < 2) continue;
    for (const simple of simplerTexts(text)) {
      if (isSimpler(simple, text)) yield () => replaceText(value, text, simple);
    }
  }
}

function countTexts(value: Json, counts: Map<string, number>): void {
  if (typeof value === 'string') counts.set(value, (counts.get(value) ?? 0) + 1);
  else if (typeof value === 'object' && value !== null)
    for (const part of Object.values(value)) countTexts(part, counts);
}

function replaceText(value: Json, from: string, to: string): Json {
  if (value === from) return to;
  if (Array.isArray(value)) return value.map((item: Json) => replaceText(item, from, to));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, replaceText(member, from, to)]));
}
