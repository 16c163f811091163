import { expect, it } from 'vitest';
import { serve } from '../../client/testing/fixtures.ts';
import { readProcessMetrics, TargetMetrics, unreadNotes } from './target-metrics.ts';

it('reads process metrics under the names that libraries use', () => {
  const text = [
    '# TYPE process_resident_memory_bytes gauge',
    'process_resident_memory_bytes{app="a b",x="}"} 5.1e+07 1700000000000',
    'jvm_memory_used_bytes{area="heap"} 1',
    'go_memstats_heap_inuse_bytes 2000',
    'process_open_fds 7',
    'process_open_fds{pool="b"} 3',
  ];
  expect(readProcessMetrics(text.join('\n'))).toEqual({ memory: 5.1e7, heap: 2000, files: 10 });
  expect(readProcessMetrics('<html>not found</html>')).toEqual({});
});

it('asks the target again and again, and ends', async () => {
  let asked = 0;
  const server = await serve((_, response) => {
    asked += 1;
    response.writeHead(asked === 1 ? 503 : 200).end(`process_resident_memory_bytes ${asked}`);
  });
  const metrics = new TargetMetrics(`${server.url}/metrics`, 1000);
  while (metrics.samples.length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
  metrics.stop();
  expect(metrics.spanMs).toBeGreaterThan(0);
  expect(metrics.samples.slice(0, 2)).toEqual([{ memory: 2 }, { memory: 3 }]);
  await server.close();
});

it('asks a target without such a page only once, and says why there are none', async () => {
  let asked = 0;
  const server = await serve((_, response) => {
    asked += 1;
    response.writeHead(404).end();
  });
  const url = `${server.url}/metrics`;
  const metrics = new TargetMetrics(url, 1000);
  await new Promise((resolve) => setTimeout(resolve, 1700));
  metrics.stop();
  expect(asked).toBe(1);
  expect(unreadNotes(url, metrics)).toEqual([`no process metrics were read from ${url}: it answers with 404`]);
  expect(unreadNotes(undefined, metrics)).toEqual([]);
  expect(unreadNotes(url, { samples: [{ memory: 1 }], spanMs: 1 })).toEqual([]);
  await server.close();
});

it('says why an address was not reached', async () => {
  const metrics = new TargetMetrics('http://127.0.0.1:1/metrics', 1000);
  while (metrics.problem === undefined) await new Promise((resolve) => setTimeout(resolve, 20));
  metrics.stop();
  expect(metrics.problem).toMatch(/ECONNREFUSED|bad port/);
});
