import { MessageChannel, Worker } from 'node:worker_threads';

/**
 * Waits in a thread and wakes the event loop through a port, with an error below a millisecond. Timers of the event loop are
 * up to 2 ms late, and a busy loop would take a core from the target.
 */
const SLEEPER = `
const { workerData: { memory, port } } = require('node:worker_threads');
const turn = new Int32Array(memory, 0, 2);
const until = new Float64Array(memory, 8, 1);
for (let seen = 0; ;) {
  while (Atomics.load(turn, 0) === seen) Atomics.wait(turn, 0, seen);
  seen = Atomics.load(turn, 0);
  const rest = until[0] - performance.timeOrigin - performance.now();
  if (rest > 0) Atomics.wait(turn, 1, 0, rest);
  port.postMessage(0);
}`;

/** Calls `wake` at a given time. Arming it again before that has no effect. */
export class PreciseTimer {
  readonly #turn: Int32Array;
  readonly #until: Float64Array;
  readonly #thread: Worker;
  readonly #port: MessageChannel['port1'];
  #armed = false;

  constructor(wake: () => void) {
    const memory = new SharedArrayBuffer(16);
    this.#turn = new Int32Array(memory, 0, 2);
    this.#until = new Float64Array(memory, 8, 1);
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#thread = new Worker(SLEEPER, {
      eval: true,
      execArgv: [],
      workerData: { memory, port: port2 },
      transferList: [port2],
    });
    this.#port.on('message', () => {
      this.#armed = false;
      wake();
    });
  }

  /** @param at on the clock of `performance.now()`. */
  arm(at: number): void {
    if (this.#armed) return;
    this.#armed = true;
    this.#until[0] = performance.timeOrigin + at;
    Atomics.add(this.#turn, 0, 1);
    Atomics.notify(this.#turn, 0);
  }

  async close(): Promise<void> {
    this.#port.close();
    await this.#thread.terminate();
  }
}
