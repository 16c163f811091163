import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeFromCompressedBase64 } from 'hdr-histogram-js';
import { expect, it } from 'vitest';
import { freePort } from '../../fleet/local-broker.ts';
import { emptyDirectory, runAssay, summaryIn } from './run-assay.ts';

const PROMETHEUS = process.env['PROMETHEUS'] ?? 'prometheus';
const isInstalled = spawnSync(PROMETHEUS, ['--version']).status === 0;

interface Answer {
  readonly data: {
    readonly result: { readonly metric: Readonly<Record<string, string>>; readonly value: readonly [number, string] }[];
  };
}

async function ask(url: string, query: string): Promise<Readonly<Record<string, number>>> {
  const response = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(query)}`);
  const { data } = (await response.json()) as Answer;
  return Object.fromEntries(data.result.map(({ metric, value }) => [Object.values(metric).join(), Number(value[1])]));
}

it.skipIf(!isInstalled)(
  `Prometheus scrapes the numbers of summary.json${isInstalled ? '' : ' (skipped: no prometheus on the PATH)'}`,
  async () => {
    const [directory, scraped, own] = [emptyDirectory(), await freePort(), await freePort()];
    const config = {
      global: { scrape_interval: '500ms', scrape_timeout: '400ms' },
      scrape_configs: [{ job_name: 'assay', static_configs: [{ targets: [`127.0.0.1:${scraped}`] }] }],
    };
    writeFileSync(join(directory, 'prometheus.yml'), JSON.stringify(config));
    const url = `http://127.0.0.1:${own}`;
    const words = ['--config.file=prometheus.yml', '--storage.tsdb.path=data', `--web.listen-address=127.0.0.1:${own}`];
    const prometheus = spawn(PROMETHEUS, words, { cwd: directory, stdio: 'ignore' });
    try {
      while (!(await fetch(`${url}/-/ready`).catch(() => undefined))?.ok) await sleep(50);
      const ran = await runAssay(
        ['load', 'mixed', '--rate', '60', '--duration', '4s', '--prometheus', String(scraped), '--out', 'out'],
        { cwd: directory },
      );
      const { scenarios } = summaryIn(join(directory, 'out'));
      const [scenario] = scenarios ?? [];
      const steady = 'phase="steady"';
      const last = (metric: string, by: string): Promise<Readonly<Record<string, number>>> =>
        ask(url, `sum by (${by}) (last_over_time(${metric}{${steady}}[5m]))`);
      expect(await last('assay_requests_total', ''), ran.stdout).toEqual({ '': scenario?.requests });
      expect(await last('assay_requests_total', 'part')).toEqual(
        Object.fromEntries(scenario?.detail?.parts.map(({ label, requests }) => [label, requests]) ?? []),
      );
      expect(await last('assay_request_duration_seconds_count', '')).toEqual({ '': scenario?.requests });
      const { '': seconds = 0 } = await last('assay_request_duration_seconds_sum', '');
      const meanMs = decodeFromCompressedBase64(scenario?.histogram ?? '').mean / 1000;
      expect((1000 * seconds) / (scenario?.requests ?? 0) / meanMs).toBeCloseTo(1, 2);
    } finally {
      prometheus.kill('SIGKILL');
    }
  },
  120_000,
);
