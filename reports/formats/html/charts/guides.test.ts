import { describe, expect, it } from 'vitest';
import { sampleLoad } from '../../../testing/sample-load.ts';
import { changed } from '../../../testing/sample-run.ts';
import { viewOf } from '../../../view.ts';
import { loadSection } from '../parts/load.ts';
import { placeLabels } from './guides.ts';

describe('labels', () => {
  it('never cover each other', () => {
    const placed = placeLabels(['p50', 'p90', 'p99', 'p99.9'].map((text, index) => ({ x: 300 + index * 4, text })));
    expect(new Set(placed.map(({ y }) => y)).size).toBe(4);
  });

  it('share a line where there is room, and stand to the left at the end', () => {
    const placed = placeLabels([
      { x: 60, text: 'p50' },
      { x: 200, text: 'p99' },
      { x: 445, text: 'p99.9' },
    ]);
    expect(placed.map(({ y, isEnd }) => [y, isEnd])).toEqual([
      [22, false],
      [22, false],
      [22, true],
    ]);
  });
});

describe('the charts of a load run', () => {
  const page = loadSection(viewOf(sampleLoad())).text;

  it('show the threshold, the warm-up and the steps of the search', () => {
    expect(page).toMatch(/class="limit"[\s\S]{0,200}p99&lt;200/);
    expect(page.match(/class="shade"/g)?.length).toBeGreaterThanOrEqual(2);
    expect(page).toContain('p99 over 200 ms');
  });

  it('end with the last second of the schedule', () => {
    const late = changed(sampleLoad(), 'tick', ({ second }) => ({ second: second + 30 }));
    expect(loadSection(viewOf(late)).text).not.toContain('75 s');
  });
});
