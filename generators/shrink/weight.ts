import type { Json } from '../../spec/index.ts';

/** Cost of a character: letters cost least, invisible characters most. */
export function characterCost(character: string): number {
  const point = character.codePointAt(0) ?? 0;
  if (point === 97) return 0;
  if (point > 97 && point <= 122) return 2;
  if (point >= 65 && point <= 90) return 3;
  if (point >= 48 && point <= 57) return point === 48 ? 1 : 2;
  if (point >= 33 && point <= 126) return 6;
  if (point === 32) return 5;
  if (point === 0xe9) return 20;
  if (point === 0x1f600) return 40;
  return point > 0xffff ? 60 : 50;
}

function textWeight(text: string): number {
  let weight = 40;
  for (const character of text) weight += 100 + characterCost(character);
  return weight;
}

function numberWeight(value: number): number {
  const size = Math.abs(value);
  const digits = size < 10 ? 0 : Math.floor(Math.log10(size));
  return 4 + Math.min(digits, 20) / 2 + (Number.isInteger(value) ? 0 : 12) + (value < 0 ? 1 : 0);
}

/** Complexity of a value for a reader. */
export function weight(value: Json): number {
  if (value === null) return 1;
  if (typeof value === 'boolean') return value ? 3 : 2;
  if (typeof value === 'number') return numberWeight(value);
  if (typeof value === 'string') return textWeight(value);
  if (Array.isArray(value)) return value.reduce<number>((sum, item: Json) => sum + weight(item), 60);
  return Object.entries(value).reduce((sum, [key, member]) => sum + textWeight(key) + weight(member), 60);
}

/** A strict, well-founded order, so that shrinking terminates. */
export function isSimpler(one: Json, other: Json): boolean {
  if (typeof one === 'number' && typeof other === 'number') return simplerNumber(one, other);
  return weight(one) < weight(other);
}

function simplerNumber(one: number, other: number): boolean {
  const whole = Number.isInteger(one);
  if (whole !== Number.isInteger(other)) return whole;
  if (!whole) return String(one).length < String(other).length && Math.abs(one) <= Math.abs(other);
  if (Math.abs(one) !== Math.abs(other)) return Math.abs(one) < Math.abs(other);
  return one > other;
}
