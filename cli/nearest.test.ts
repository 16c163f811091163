import { expect, it } from 'vitest';
import { didYouMean, distance, nearest } from './nearest.ts';

it('counts edits, a swap of neighbours as one', () => {
  expect(distance('', 'abc')).toBe(3);
  expect(distance('verify', 'verify')).toBe(0);
  expect(distance('verfiy', 'verify')).toBe(1);
  expect(distance('kitten', 'sitting')).toBe(3);
});

it('finds the word that was meant, and none where nothing is near', () => {
  expect(nearest('--bas-url', ['--base-url', '--token', '--seed'])).toEqual(['--base-url']);
  expect(didYouMean('ireversible', ['read', 'reversible', 'irreversible'])).toMatch(/^did you mean (ir)?reversible/u);
  expect(didYouMean('xyzzy', ['read', 'global'])).toBe('');
});
