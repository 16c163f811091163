import { describe, expect, it } from 'vitest';
import { sourceFiles } from './files.ts';

const files = sourceFiles();
const linesOf = (text: string): number => text.trimEnd().split('\n').length;
const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

describe('files', () => {
  it('have at most 300 lines', () => {
    const big = files.filter((file) => linesOf(file.text) > 300);
    expect(big.map((file) => `${file.path}: ${linesOf(file.text)} lines`)).toEqual([]);
  });

  it('have a median under 80 lines', () => {
    expect(median(files.map((file) => linesOf(file.text)))).toBeLessThan(80);
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
