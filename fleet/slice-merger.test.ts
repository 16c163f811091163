import { describe, expect, it } from 'vitest';
import { SliceMerger } from './slice-merger.ts';

describe('the slices of a trial', () => {
  const released: string[] = [];
  const merger = new SliceMerger<string>(2, {
    onSlices: (index, items) => released.push(`${index}: ${items.join('')}`),
    onLate: (index, item) => released.push(`late ${index}: ${item}`),
  });

  it('are released in order when every lane has reported, or when they are overdue', () => {
    merger.add(0, 0, 'a');
    merger.add(0, 1, 'b');
    merger.release(-1);
    expect(released).toEqual([]);
    merger.add(1, 0, 'A');
    merger.release(-1);
    expect(released).toEqual(['0: aA']);
    merger.release(1);
    merger.add(1, 1, 'B');
    merger.ended(1);
    merger.add(0, 2, 'c');
    merger.release(-1);
    expect(released).toEqual(['0: aA', '1: b', 'late 1: B', '2: c']);
  });
});
