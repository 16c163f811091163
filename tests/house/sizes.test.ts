import { describe, expect, it } from 'vitest';
import { houseFiles } from './files.ts';

const files = houseFiles();
const linesOf = (text: string): number => text.trimEnd().split('\n').length;
const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

describe('rooms', () => {
  it('are small: none over 300 lines', () => {
    const big = files.filter((file) => linesOf(file.text) > 300);
    expect(big.map((file) => `${file.path}: ${linesOf(file.text)} lines`)).toEqual([]);
  });

  it('have a median under 60 lines', () => {
    expect(median(files.map((file) => linesOf(file.text)))).toBeLessThan(60);
  });

  it('are named in kebab-case', () => {
    const odd = files.filter((file) => !/^[a-z0-9-]+(?:\.suite)?\.ts$/u.test(file.path.split('/').at(-1) ?? ''));
    expect(odd.map((file) => file.path)).toEqual([]);
  });

  it('export by name, and only types in erasable syntax', () => {
    const odd = files.filter((file) =>
      /^export default |^(?:export )?(?:const )?enum |^(?:export )?namespace /mu.test(file.text),
    );
    expect(odd.map((file) => file.path)).toEqual([]);
  });
});
