import { Worker } from 'node:worker_threads';

/** Starts a worker thread; when run from source, with a loader for TypeScript. */
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
