/** Process metrics of the target at one time, by the kind of metric. */
export type ProcessSample = Readonly<Partial<Record<ProcessMetric, number>>>;

/** Samples, and the time from the first to the last one. */
export interface ProcessSeries {
  readonly samples: readonly ProcessSample[];
  readonly spanMs: number;
  /** Why the last attempt gave no sample. */
  readonly problem?: string | undefined;
}

/** The names that common libraries give to each metric; the first one that is present is used. */
const NAMES = {
  memory: [
    'process_resident_memory_bytes',
    'process_working_set_bytes',
    'process_memory_usage_bytes',
    'dotnet_process_memory_working_set_bytes',
    'jvm_memory_used_bytes',
  ],
  heap: [
    'nodejs_heap_size_used_bytes',
    'go_memstats_heap_inuse_bytes',
    'dotnet_total_memory_bytes',
    'jvm_memory_bytes_used',
  ],
  files: ['process_open_fds', 'process_open_handles', 'process_files_open_files'],
} as const;

export type ProcessMetric = keyof typeof NAMES;

export const PROCESS_METRICS = Object.keys(NAMES) as readonly ProcessMetric[];

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{.*\})?\s+([+-]?[\d.]+(?:[eE][+-]?\d+)?)(?:\s+\d+)?$/;

/** Reads the text format of Prometheus. Samples of one name with different labels are added. */
export function readProcessMetrics(text: string): ProcessSample {
  const sums = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [, name, value] = LINE.exec(line.trim()) ?? [];
    if (name !== undefined) sums.set(name, (sums.get(name) ?? 0) + Number(value));
  }
  const found = PROCESS_METRICS.flatMap((metric) => {
    const name = NAMES[metric].find((one) => sums.has(one));
    return name === undefined ? [] : [[metric, sums.get(name)] as const];
  });
  return Object.fromEntries(found);
}

/** Number of samples in a run, within these intervals. */
const SAMPLES = 120;
const SHORTEST_MS = 500;
const LONGEST_MS = 30_000;
const TIMEOUT_MS = 2000;
/** Statuses of a target that has no such page for us, as many: it is not asked again. */
const HAS_NONE: ReadonlySet<number> = new Set([401, 403, 404, 405]);

/** The note of a run for which the user named an address that gave no sample. */
export function unreadNotes(url: string | undefined, series: ProcessSeries | undefined): string[] {
  if (url === undefined || series === undefined || series.samples.length > 0) return [];
  return [`no process metrics were read from ${url}${series.problem === undefined ? '' : `: ${series.problem}`}`];
}

/** `fetch` tells why it failed in the cause of its error. */
const rootMessage = ({ message, cause }: Error): string => (cause instanceof Error ? cause.message : message);

/** Reads the process metrics of the target during a soak run, until `stop`. */
export class TargetMetrics implements ProcessSeries {
  readonly samples: ProcessSample[] = [];
  problem: string | undefined;
  #firstAt: number | undefined;
  #lastAt = 0;
  readonly #url: string;
  readonly #timer: NodeJS.Timeout;
  #isAsking = false;

  constructor(url: string, durationMs: number) {
    this.#url = url;
    const every = Math.max(SHORTEST_MS, Math.min(LONGEST_MS, durationMs / SAMPLES));
    this.#timer = setInterval(() => void this.#ask(), every).unref();
  }

  get spanMs(): number {
    return this.#firstAt === undefined ? 0 : this.#lastAt - this.#firstAt;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #add(sample: ProcessSample): void {
    this.samples.push(sample);
    this.problem = undefined;
    this.#lastAt = performance.now();
    this.#firstAt ??= this.#lastAt;
  }

  async #ask(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      const response = await fetch(this.#url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
      const sample = response.ok ? readProcessMetrics(await response.text()) : {};
      if (Object.keys(sample).length > 0) this.#add(sample);
      else this.problem = response.ok ? 'it has none of the known names' : `it answers with ${response.status}`;
      if (HAS_NONE.has(response.status)) this.stop();
    } catch (error) {
      this.problem = error instanceof Error ? rootMessage(error) : String(error);
    } finally {
      this.#isAsking = false;
    }
  }
}
