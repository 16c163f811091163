import { expect, it } from 'vitest';
import type { Summary } from '../summary/types.ts';
import { groupLeft, lastingText } from './effects.ts';

const operation = (id: string, effect: string, ...counts: readonly Readonly<Record<string, number>>[]): object => ({
  id,
  effect,
  forms: Object.fromEntries(counts.map((statuses, at) => [`/v${at}`, { statuses }])),
});

const OPERATIONS = [
  operation('POST /payments', 'irreversible', { 201: 7, 400: 3 }, { 202: 4 }),
  operation('POST /runs', 'costly', { 403: 2 }),
  operation('POST /items', 'reversible', { 201: 9 }),
];

const summaryOf = (embedded: boolean): Summary =>
  ({ operations: OPERATIONS, effects: {}, target: { embedded } }) as unknown as Summary;

it('names the requests with an effect that stays, and how many were served', () => {
  expect(lastingText(summaryOf(false))).toBe('Requests with an effect that stays: POST /payments ×11');
  const ofLoad = { ...summaryOf(false), operations: [], effects: { lasting: [{ id: 'POST /clue', count: 1200 }] } };
  expect(lastingText(ofLoad as unknown as Summary)).toBe('Requests with an effect that stays: POST /clue ×1,200');
  const cut = { ...ofLoad, scenarios: [{ detail: { sent: { unanswered: 1600 } } }] };
  expect(lastingText(cut as unknown as Summary)).toContain('×1,200, and up to 1,600 more without an answer');
  const silent = { ...cut, effects: { lasting: [{ id: 'POST /clue', count: 0 }] } };
  expect(lastingText(silent as unknown as Summary)).toBe(
    'Requests with an effect that stays: POST /clue ×0, and up to 1,600 more without an answer',
  );
  expect(lastingText({ ...silent, scenarios: [] } as unknown as Summary)).toBeUndefined();
  expect(lastingText(summaryOf(true))).toBeUndefined();
});

it('groups what is left by its reason, and shows the first ids', () => {
  const left = ['1', '2', '3', '4'].map((id) => ({ kind: 'POST /items', id, reason: 'still there' }));
  expect(groupLeft(left).map(({ text, items }) => [items.length, text])).toEqual([
    [4, 'POST /items: still there: 1, 2, 3 and 1 more'],
  ]);
});
