import type { AssayError, Contract } from '../spec/index.ts';
import { encodeTraffic } from './encode-traffic.ts';
import { startLane } from './engines/lane-thread.ts';
import type { LaneThread } from './engines/lane-thread.ts';
import type { Sample, Slice } from './engines/messages.ts';
import type { Traffic } from './engines/traffic.ts';
import { openJobs } from './jobs.ts';
import type { LaneJob } from './jobs.ts';
import { EVIDENCE, Judging } from './judging.ts';
import type { Judge, Judged } from './judging.ts';
import type { LoadTarget } from './target.ts';
import { keepToken } from './token-keeper.ts';
import type { TokenKeeper } from './token-keeper.ts';
import { packSlice, decodeRequests } from './wire-format.ts';
import type { PackedSlice, SentRequests } from './wire-format.ts';

export interface LaneSenderOptions {
  readonly target: LoadTarget;
  readonly contract: Contract;
  readonly judge: Judge;
}

export interface SentLane {
  readonly job: unknown;
  readonly requests: string;
  readonly lease: SharedArrayBuffer;
  readonly onSlice: (slice: PackedSlice) => void;
  readonly onResult: (judged: Judged) => void;
  readonly onFailure: (failure: Pick<AssayError, 'message' | 'hint' | 'exitCode'>) => void;
}

/** Sends lanes of runs that another machine controls. Tokens, headers and samples stay on this machine. */
export class LaneSender {
  readonly #options: LaneSenderOptions;
  readonly #active = new Map<LaneThread, SentLane>();
  readonly #traffic = new Map<
    string,
    { readonly sent: SentRequests; readonly traffic: Traffic; readonly token: string | undefined }
  >();
  readonly #shown = new Map<string, number>();
  #keeper: TokenKeeper | undefined;

  constructor(options: LaneSenderOptions) {
    this.#options = options;
  }

  /** Starts the worker thread of a lane, as an engine of the fleet does. */
  async start(lane: SentLane) {
    const { sent, traffic } = this.#trafficOf(lane.requests);
    const { target } = this.#options;
    const { jobs, close } = await openJobs([lane.job as LaneJob], { target, traffic });
    let judged = Promise.resolve();
    const onSlice = (slice: Slice): void => {
      if (slice.samples.length > 0)
        judged = judged.then(() => this.#judge(slice.samples, sent, lane)).catch(() => undefined);
      lane.onSlice(packSlice(slice));
    };
    const thread = startLane(
      { ...(jobs[0] as (typeof jobs)[0]), lease: lane.lease },
      { onSlice, onRefused: () => this.#keeper?.refused() },
    );
    this.#active.set(thread, lane);
    this.#keepToken(traffic.token);
    const end = async (): Promise<void> => {
      await judged;
      this.#active.delete(thread);
      await thread.terminate();
      await close();
    };
    return {
      ready: thread.ready,
      done: thread.done.then(() => undefined).finally(end),
      go: (startAt: number, fromMs: number, maxRate: number): void =>
        thread.tell({ type: 'go', startAt, fromMs, maxRate }),
      until: (atMs: number): void => thread.tell({ type: 'until', atMs }),
      stop: (): void => thread.tell({ type: 'stop' }),
    };
  }

  close(): void {
    this.#keeper?.stop();
  }

  #trafficOf(requests: string): { readonly sent: SentRequests; readonly traffic: Traffic } {
    const { target, contract } = this.#options;
    const token = target.renewal?.current ?? target.token;
    const known = this.#traffic.get(requests);
    if (known !== undefined && known.token === token) return known;
    const sent = decodeRequests(requests);
    const traffic = encodeTraffic(sent.prepared, target, sent.runId, (id) => contract.operation(id));
    this.#traffic.clear();
    this.#traffic.set(requests, { sent, traffic, token });
    return { sent, traffic };
  }

  async #judge(samples: readonly Sample[], { prepared }: SentRequests, { onResult }: SentLane): Promise<void> {
    const { target, judge, contract } = this.#options;
    const judging = new Judging({ requests: prepared.requests, target, judge, contract });
    await judging.add(samples);
    const findings = judging.findings().filter(({ fingerprint }) => {
      const shown = this.#shown.get(fingerprint) ?? 0;
      this.#shown.set(fingerprint, shown + 1);
      return shown < EVIDENCE;
    });
    onResult({ judged: judging.judged, violating: judging.violating, findings });
  }

  #keepToken(sent: string | undefined): void {
    const { renewal } = this.#options.target;
    if (this.#keeper !== undefined || sent === undefined || renewal === undefined) return;
    const tell = (message: Parameters<LaneThread['tell']>[0]): void => {
      for (const thread of this.#active.keys()) thread.tell(message);
    };
    this.#keeper = keepToken(sent, renewal, {
      replace: (from, to) => tell({ type: 'token', from, to }),
      countRefusals: () => tell({ type: 'count-refusals' }),
      lost: ({ message, hint, exitCode }) => {
        for (const lane of this.#active.values()) lane.onFailure({ message, hint, exitCode });
        tell({ type: 'stop' });
      },
    });
  }
}
