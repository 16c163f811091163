import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../fleet/local-broker.ts';

export function has(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
}

/** Runs a command on some cores and returns its standard output. */
export async function onCores(cores: string, command: readonly string[]): Promise<string> {
  const child = spawn('taskset', ['-c', cores, ...command], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
  await new Promise((resolve) => child.on('close', resolve));
  return text;
}

/** Starts nginx, which answers at once, on some cores. */
export async function startNginx(cores: string, processes = 1): Promise<{ port: number; stop: () => Promise<void> }> {
  const dir = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  const port = await freePort();
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${dir}/${name};`)
    .join(' ');
  writeFileSync(
    join(dir, 'nginx.conf'),
    `worker_processes ${processes}; daemon off; pid ${dir}/pid; error_log ${dir}/error.log;
events { worker_connections 4096; }
http { access_log off; keepalive_requests 1000000000; keepalive_timeout 300s; client_body_buffer_size 64k; ${temp}
  server { listen 127.0.0.1:${port} reuseport; location / { default_type application/json; return 200 '{"ok":true}'; } } }`,
  );
  const child = spawn('taskset', ['-c', cores, 'nginx', '-e', `${dir}/error.log`, '-c', join(dir, 'nginx.conf')], {
    stdio: 'ignore',
  });
  await sleep(500);
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  return {
    port,
    stop: async () => {
      child.kill('SIGQUIT');
      await Promise.race([ended, sleep(2000).then(() => child.kill('SIGTERM'))]);
    },
  };
}

/** A wrk script that sends unique bodies of about 1 KB. */
export function wrkScript(): string {
  const file = join(mkdtempSync(join(tmpdir(), 'assay-bench-')), 'post.lua');
  writeFileSync(
    file,
    `local n = 0
local pad = string.rep("x", 990)
request = function()
  n = n + 1
  return wrk.format("POST", "/x", { ["Content-Type"] = "application/json" }, string.format('{"id":"%012d","fill":"%s"}', n, pad))
end`,
  );
  return file;
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(0)}%`;
}
