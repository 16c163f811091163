import { policyReads } from './policies.ts';

const VARIANTS = 500;
const SIZES = [1, 5, 10, 20, 50, 100] as const;

/** The query of a seeded random page of the policy list, with or without filters and order. */
export function randomPage(random: () => number, count: number, tag: string): string {
  const take = SIZES[Math.floor(random() * SIZES.length)] ?? 20;
  const page = Math.floor(random() * Math.ceil(Math.max(1, count) / take));
  const parts = [`page=${page}`, `take=${take}`];
  if (random() < 0.5) parts.push(`searchName=${tag}`);
  if (random() < 0.3) parts.push(`filterActive=${random() < 0.5}`);
  if (random() < 0.3) parts.push('orderBy=name', `orderAsc=${random() < 0.5}`);
  return parts.join('&');
}

export const pagingRandom = policyReads(
  { name: 'paging-random', title: 'Reads random pages of a list, of random size, with and without filters and order.' },
  ({ count, tag }, random) => Array.from({ length: VARIANTS }, () => randomPage(random, count, tag)),
);
