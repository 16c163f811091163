import { parentPort, workerData } from 'node:worker_threads';
import type { Engine, RunningEngine } from './engine.ts';
import { ALIVE_MS } from './messages.ts';
import type { EngineJob, FromWorker, LoadModel, ToWorker } from './messages.ts';
import { Recorder } from './recorder.ts';
import { Refusals } from './refusals.ts';
import { SampleBudget } from './samples.ts';
import { Picker } from './traffic.ts';

/** Loaded when needed: autocannon takes long to load. */
const ENGINES = {
  closed: async () => (await import('./closed.ts')).closedEngine,
  open: async () => (await import('./open.ts')).openEngine,
} satisfies Record<LoadModel, () => Promise<Engine>>;

const job = workerData as EngineJob;
const tell = (message: FromWorker): void => parentPort?.postMessage(message);
const recorder = new Recorder(job.traffic.series, job.keepsIds);
const samples = new SampleBudget(job.samplesPerSecond);
const picker = new Picker(job.traffic, job.worker, job.share.count, job.firstId);
const refusals = new Refusals(recorder, job.watchesToken, () => tell({ type: 'refused' }));
const context = { job, recorder, picker, samples, refusals };
const engine = await startEngine();
let clock: NodeJS.Timeout | undefined;
let startAt = Infinity;
let lastAt = Infinity;
let reported = job.firstId;
let utilization = performance.eventLoopUtilization();

async function startEngine(): Promise<RunningEngine> {
  if (job.flow === undefined) return (await ENGINES[job.model]()).start(context);
  const { startFlow } = await import('../flow/engine.ts');
  // From here on, only the flow can keep the thread to itself.
  tell({ type: 'alive' });
  setInterval(() => tell({ type: 'alive' }), ALIVE_MS).unref();
  return startFlow(context, job.flow);
}

function slice(): void {
  const now = performance.now();
  const next = performance.eventLoopUtilization();
  const index = Math.round((lastAt - startAt) / job.sliceMs);
  const spanMs = Math.max(1, now - startAt - index * job.sliceMs);
  const busy = performance.eventLoopUtilization(next, utilization).utilization;
  utilization = next;
  lastAt = now;
  const from = reported;
  reported = picker.given;
  tell({ type: 'slice', slice: recorder.take({ index, spanMs, busy, from, to: reported, ...engine.gauges() }) });
}

/** Ends slices at the same times in every worker. */
function tick(): void {
  const next = Math.round((performance.now() - startAt) / job.sliceMs) + 1;
  clock = setTimeout(
    () => {
      slice();
      tick();
    },
    startAt + next * job.sliceMs - performance.now(),
  );
}

function go({ startAt: epoch, fromMs = 0, maxRate = Infinity }: Extract<ToWorker, { type: 'go' }>): void {
  startAt = epoch - performance.timeOrigin;
  setTimeout(
    () => {
      // A lane that is taken over starts in the middle of the schedule.
      const begun = Math.max(0, Math.floor((performance.now() - startAt) / job.sliceMs));
      lastAt = startAt + begun * job.sliceMs;
      utilization = performance.eventLoopUtilization();
      tick();
    },
    Math.max(0, startAt - performance.now()),
  );
  reported = engine.go(startAt, fromMs, maxRate);
}

function useToken(from: string, to: string): void {
  picker.replaceToken(from, to);
  engine.replaceToken?.(from, to);
  refusals.replaced();
}

parentPort?.on('message', (message: ToWorker) => {
  if (message.type === 'go') go(message);
  else if (message.type === 'token') useToken(message.from, message.to);
  else if (message.type === 'count-refusals') refusals.count();
  else if (message.type === 'until') engine.until(message.atMs);
  else if (message.type === 'cut') engine.cut();
  else engine.stop();
});

const connected = await engine.ready;
tell({ type: 'ready', connected });
await engine.finished;
clearTimeout(clock);
samples.close();
refusals.settle();
if (startAt !== Infinity) slice();
tell({ type: 'done', nextId: picker.given });
parentPort?.close();
