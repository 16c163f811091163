import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { AssayError, EXIT } from '../../spec/index.ts';
import type { Traffic } from '../engines/traffic.ts';
import { encodeTraffic } from '../encode-traffic.ts';
import { engineSettingsOf, SLICE_MS } from '../plan.ts';
import type { EngineSettings } from '../plan.ts';
import { runTrial } from '../trial.ts';

/** A minimal server that answers at once. Runs in its own thread. */
const STUB = `
const net = require('node:net');
const { parentPort } = require('node:worker_threads');
const answer = Buffer.from('HTTP/1.1 200 OK\\r\\nContent-Type: application/json\\r\\nContent-Length: 2\\r\\n\\r\\n{}');
const server = net.createServer((socket) => {
  let missing = 0;
  socket.setNoDelay(true);
  socket.on('error', () => {});
  socket.on('data', (bytes) => {
    if (missing > 0) missing -= bytes.length;
    else {
      const end = bytes.indexOf('\\r\\n\\r\\n') + 4;
      const length = /content-length: *(\\d+)/i.exec(bytes.latin1Slice(0, end));
      missing = end + (length ? Number(length[1]) : 0) - bytes.length;
    }
    if (missing <= 0) { missing = 0; socket.write(answer); }
  });
});
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`;

/** More than any machine reaches, in requests per second. */
const RATE = 1_000_000;
const BODY_BYTES = 1024;

/** The rate that this machine reaches against a stub server with requests of 1 KB, in requests per second. */
export function generatorRate(workers: number, durationMs: number, signal: AbortSignal): Promise<number> {
  const request = { operation: 'POST /', form: '', method: 'POST', path: '/', body: Buffer.alloc(BODY_BYTES, 'x') };
  const traffic = encodeTraffic({ requests: [request] }, { baseUrl: 'http://127.0.0.1' }, 'calibration');
  return calibrate(traffic, engineSettingsOf({ workers }), durationMs, signal);
}

/** The rate, in requests per second, that the generator reaches against a stub server on the same machine that answers at once. */
export async function calibrate(
  traffic: Traffic,
  settings: EngineSettings,
  durationMs: number,
  signal: AbortSignal,
): Promise<number> {
  const stub = new Worker(STUB, { eval: true, execArgv: [] });
  try {
    const [port] = (await once(stub, 'message')) as [unknown];
    if (typeof port !== 'number')
      throw new AssayError('The stub server for calibration did not start.', {
        hint: 'Run again.',
        exitCode: EXIT.internal,
      });
    const trial = await runTrial({
      ...settings,
      target: { baseUrl: `http://127.0.0.1:${port}` },
      // All parts go to the stub server.
      traffic: { ...traffic, parts: traffic.parts.map(({ label, weight }) => ({ label, weight })) },
      model: 'open',
      warmupMs: SLICE_MS * 2,
      samplesPerSecond: 0,
      keepsIds: false,
      signal,
      timeoutMs: 60_000,
      schedule: { arrivals: 'even', segments: [{ durationMs, from: RATE, to: RATE }] },
      onSlice: (view) => (view.draining ? 'stop' : 'on'),
    });
    return trial.measurement.steady.rate;
  } finally {
    await stub.terminate();
  }
}
