import { Worker } from 'node:worker_threads';

/** A worker thread of ours; from source it brings the loader that Node lacks, compiled it is plain JavaScript. */
export function startThread(workerData: unknown): Worker {
  const fromSource = import.meta.url.endsWith('.ts');
  if (!fromSource) return new Worker(new URL('./worker.js', import.meta.url), { workerData, execArgv: [] });
  const loader = JSON.stringify(import.meta.resolve('tsx/esm/api'));
  const entry = JSON.stringify(new URL('./worker.ts', import.meta.url).href);
  return new Worker(`import(${loader}).then((tsx) => { tsx.register(); return import(${entry}); })`, {
    eval: true,
    workerData,
    execArgv: [],
  });
}
