import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { Arbitrary, stream, Value } from 'fast-check';
import type { Random, Stream } from 'fast-check';
import type { GeneratedRequest } from '../../generators/index.ts';
import { isObject } from '../../spec/index.ts';
import type { Json } from '../../spec/index.ts';

/** One case of a property. Placeholders stand for ids and names that only a run knows, so that a case can be replayed in another run. */
export interface Case {
  readonly request: GeneratedRequest;
  /** Index of the operation's form. */
  readonly form: number;
  /** A slug for what is tested with the request, where a property tests several things. */
  readonly variant?: string;
  /** Text that replaces the body. */
  readonly rawBody?: string;
  /** What is unusual about it, for messages. */
  readonly label?: string;
  /** The item before an update: with every member set (`full`), new, or with empty lists and maps (`empty`). */
  readonly after?: 'full' | 'new' | 'empty';
  /** Members that the deployment does not return as they were sent, so that a replay need not learn them again. */
  readonly notReturned?: readonly string[];
  /** True where the document guarantees that it is served. */
  readonly served?: boolean;
}

/** Simplifies requests; every arbitrary of requests does. */
export interface RequestShrinker {
  readonly simplest: GeneratedRequest;
  accepts(value: unknown): boolean;
  /** Simpler requests, the boldest simplification first. */
  shrink(
    value: GeneratedRequest,
    context?: unknown,
  ): Iterable<{ readonly value: GeneratedRequest; readonly context?: unknown }>;
}

/** A shrinker for requests that the arbitrary of the operation would not generate. */
export function shrinkerOf(
  simplest: GeneratedRequest,
  simpler: (value: GeneratedRequest) => Iterable<GeneratedRequest>,
): RequestShrinker {
  return {
    simplest,
    accepts: () => false,
    *shrink(value) {
      for (const each of simpler(value)) yield { value: each };
    },
  };
}

/** fast-check's context of a shrunk case: the context of the shrinker of its request. */
interface ShrinkContext {
  readonly inner: unknown;
}

/** Candidates that are announced before fast-check asks for them. */
const AHEAD = 3;

/** Cases with drawn requests. Only the request of a case is shrunk. */
export class CaseArbitrary extends Arbitrary<Case> {
  readonly #draws: Arbitrary<GeneratedRequest> | undefined;
  readonly #shrinker: RequestShrinker | undefined;
  readonly #announce: (candidate: Case) => void;
  readonly #isOver: () => boolean;

  /**
   * `announce` receives the next candidates while shrinking, so that they can be tested at the same time. There are none once `isOver`
   * returns true: making thousands of them from a large body takes minutes.
   */
  constructor(
    draws: Arbitrary<GeneratedRequest> | undefined,
    shrinker?: RequestShrinker,
    announce: (candidate: Case) => void = () => undefined,
    isOver: () => boolean = () => false,
  ) {
    super();
    this.#draws = draws;
    this.#shrinker = shrinker;
    this.#announce = announce;
    this.#isOver = isOver;
  }

  override generate(mrng: Random, bias: number | undefined): Value<Case> {
    if (this.#draws === undefined) throw new Error('a property without an arbitrary runs its examples only');
    const request = this.#draws.generate(mrng, bias);
    return new Value({ request: request.value, form: mrng.nextInt(0, 1) }, undefined);
  }

  override canShrinkWithoutContext(value: unknown): value is Case {
    return this.#shrinker !== undefined && (value as Case).rawBody === undefined;
  }

  override shrink(value: Case, context?: unknown): Stream<Value<Case>> {
    return stream(this.#announced(value, context as ShrinkContext | undefined));
  }

  *#announced(value: Case, context: ShrinkContext | undefined): IterableIterator<Value<Case>> {
    const ahead: Value<Case>[] = [];
    for (const candidate of this.#simpler(value, context)) {
      if (this.#isOver()) return;
      this.#announce(candidate.value);
      ahead.push(candidate);
      if (ahead.length > AHEAD) yield* ahead.splice(0, 1);
    }
    yield* ahead;
  }

  *#simpler(value: Case, context: ShrinkContext | undefined): IterableIterator<Value<Case>> {
    if (this.#shrinker === undefined) return;
    if (context === undefined)
      for (const request of reduced(this.#shrinker, value.request))
        yield new Value({ ...value, request }, { inner: undefined } satisfies ShrinkContext);
    for (const { value: request, context: inner } of this.#shrinker.shrink(value.request, context?.inner))
      yield new Value({ ...value, request }, { inner } satisfies ShrinkContext);
  }
}

/** The simplest request, and the simplest with one query parameter or one member of the body of this one. */
function* reduced(shrinker: RequestShrinker, { query, path, body }: GeneratedRequest): Iterable<GeneratedRequest> {
  const { simplest } = shrinker;
  const plain = simplest.body?.value;
  const candidates: GeneratedRequest[] = [{ ...simplest, path: { ...path, ...simplest.path } }];
  for (const [name, value] of Object.entries(query))
    candidates.push({ ...simplest, query: { ...simplest.query, [name]: value } });
  if (isObject(body?.value) && isObject(plain))
    for (const [name, value] of Object.entries(body.value))
      candidates.push(withBodyValue(simplest, { ...plain, [name]: value }));
  for (const candidate of candidates) if (shrinker.accepts(candidate)) yield candidate;
}

/** The case with one member or parameter, where that fails; all are tested at once, where there is no time for more. */
export async function firstReduced(
  shrinker: RequestShrinker,
  start: Case,
  fails: (value: Case) => Promise<boolean>,
): Promise<Case> {
  const cases = Array.from(reduced(shrinker, start.request), (request): Case => ({ ...start, request }));
  const failing = await Promise.all(cases.map(fails));
  return cases.find((_, index) => failing[index]) ?? start;
}

/** A case as `--path` takes it: short, complete, and independent of seeds. */
export function encodeCase(value: Case): string {
  return deflateRawSync(Buffer.from(JSON.stringify(value)), { level: 9 }).toString('base64url');
}

/** The case of a `--path`; undefined where the text is not a path. */
export function decodeCase(path: string): Case | undefined {
  try {
    const value: unknown = JSON.parse(
      inflateRawSync(Buffer.from(path, 'base64url'), { maxOutputLength: 50_000_000 }).toString(),
    );
    return typeof value === 'object' && value !== null && 'request' in value && 'form' in value
      ? (value as Case)
      : undefined;
  } catch {
    return undefined;
  }
}

export function withBodyValue(request: GeneratedRequest, value: Json): GeneratedRequest {
  return { ...request, body: { type: request.body?.type ?? 'application/json', value } };
}

/** Number of characters of a case, to report the shortest one. */
export function sizeOf({ request, rawBody }: Case): number {
  return JSON.stringify(request).length + (rawBody?.length ?? 0);
}
