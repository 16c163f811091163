import { expect, it } from 'vitest';
import { didYouMean, nearest } from './nearest.ts';

it('finds the word that was meant, and none where nothing is near', () => {
  expect(nearest('--bas-url', ['--base-url', '--token', '--seed'])).toEqual(['--base-url']);
  expect(nearest('verfiy', ['verify', 'load', 'serve'])[0]).toBe('verify');
  expect(didYouMean('ireversible', ['read', 'reversible', 'irreversible'])).toMatch(/^did you mean (ir)?reversible/u);
  expect(didYouMean('xyzzy', ['read', 'global'])).toBe('');
});
