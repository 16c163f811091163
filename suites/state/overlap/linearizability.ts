/** One call of a recorded history. Times are by one clock, in any unit. */
export interface TimedCall<R, A> {
  readonly request: R;
  readonly invoked: number;
  /** Infinity without a response: the call may take effect at any time, or never. */
  readonly returned: number;
  readonly response?: A;
}

/** A sequential specification: the allowed responses and states where calls do not overlap. */
export interface Sequential<S, R, A> {
  readonly initial: readonly S[];
  /** The states after a call with that response (none: it is not allowed), or all possible ones without a response. */
  step(state: S, request: R, response: A | undefined): readonly S[];
  /** Equal for equal states. */
  key(state: S): string;
  /** True for requests that never change the state, so that the search need not try other places for them. */
  reads(request: R): boolean;
}

interface Entry {
  readonly call: number;
  /** The return of an invocation; undefined for a return. */
  readonly match: Entry | undefined;
  previous: Entry | undefined;
  next: Entry | undefined;
}

/**
 * An order of the calls, as indices, that explains all responses and puts every call between its invocation and its
 * return; undefined where there is none: the history is not linearizable.
 *
 * The search of J. M. Wing and C. Gong, "Testing and verifying concurrent objects" (J. Parallel Distrib. Comput. 17,
 * 1993), with G. Lowe's memory of configurations, "Testing for linearizability" (Concurrency Computat. Pract. Exper.
 * 29(4), 2017). Histories of independent objects are checked one by one: linearizability is local (Herlihy and Wing,
 * 1990).
 */
export function linearize<S, R, A>(
  calls: readonly TimedCall<R, A>[],
  model: Sequential<S, R, A>,
): readonly number[] | undefined {
  const space = new Space(calls, model);
  const head = entriesOf(calls);
  const seen = new Set<string>();
  const done = new Done(calls.length);
  const stack: { readonly entry: Entry; readonly states: readonly number[]; readonly idle: boolean }[] = [];
  let states = space.initial();
  let entry = head.next;
  while (head.next !== undefined) {
    if (entry?.match !== undefined) {
      const after = space.step(states, entry.call);
      if (after.length > 0 && remember(seen, done, entry.call, after)) {
        stack.push({ entry, states, idle: after === states });
        states = after;
        done.add(entry.call);
        lift(entry);
        entry = head.next;
      } else entry = entry.next;
    } else {
      const last = backtrack(stack, done);
      if (last === undefined) return undefined;
      states = last.states;
      entry = last.entry.next;
    }
  }
  return stack.map((each) => each.entry.call);
}

/** Numbers the states of a history and remembers their steps; sets of states are sorted. */
class Space<S, R, A> {
  readonly #calls: readonly TimedCall<R, A>[];
  readonly #model: Sequential<S, R, A>;
  readonly #numbers = new Map<string, number>();
  readonly #states: S[] = [];
  readonly #steps: (readonly number[] | undefined)[][] = [];

  constructor(calls: readonly TimedCall<R, A>[], model: Sequential<S, R, A>) {
    this.#calls = calls;
    this.#model = model;
  }

  initial(): readonly number[] {
    return ordered(this.#model.initial.map((state) => this.#number(state)));
  }

  /** The set of states after a call; the same object where a read keeps it. */
  step(states: readonly number[], call: number): readonly number[] {
    const [only] = states;
    const after =
      states.length === 1 && only !== undefined
        ? this.#from(only, call)
        : ordered(states.flatMap((state) => this.#from(state, call)));
    const same = after.length === states.length && after.every((state, at) => state === states[at]);
    return same && this.#model.reads((this.#calls[call] as TimedCall<R, A>).request)
      ? states
      : same
        ? [...after]
        : after;
  }

  #from(state: number, call: number): readonly number[] {
    const known = (this.#steps[call] ??= []);
    const { request, response } = this.#calls[call] as TimedCall<R, A>;
    return (known[state] ??= ordered(
      this.#model.step(this.#states[state] as S, request, response).map((after) => this.#number(after)),
    ));
  }

  #number(state: S): number {
    const key = this.#model.key(state);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.#states.length);
    return this.#states.push(state) - 1;
  }
}

function ordered(numbers: readonly number[]): readonly number[] {
  return numbers.length < 2 ? numbers : [...new Set(numbers)].sort((a, b) => a - b);
}

/** Removes calls up to the last one that could have a later place, which a read that fits does not need. */
function backtrack<T extends { readonly entry: Entry; readonly idle: boolean }>(stack: T[], done: Done): T | undefined {
  for (let last = stack.pop(); last !== undefined; last = stack.pop()) {
    done.remove(last.entry.call);
    unlift(last.entry);
    if (!last.idle) return last;
  }
  return undefined;
}

/** The set of calls that are already in the order. */
class Done {
  readonly #bits: Uint32Array;

  constructor(size: number) {
    this.#bits = new Uint32Array(Math.ceil(size / 32));
  }

  add(call: number): void {
    this.#bits[call >> 5] = (this.#bits[call >> 5] ?? 0) | (1 << (call & 31));
  }

  remove(call: number): void {
    this.#bits[call >> 5] = (this.#bits[call >> 5] ?? 0) & ~(1 << (call & 31));
  }

  with(call: number): string {
    this.add(call);
    let key = '';
    for (const word of this.#bits) key += String.fromCharCode(word & 0xff_ff, word >>> 16);
    this.remove(call);
    return key;
  }
}

function remember(seen: Set<string>, done: Done, call: number, states: readonly number[]): boolean {
  const before = seen.size;
  return seen.add(`${done.with(call)} ${states.join(' ')}`).size > before;
}

/** Invocations and returns by time; at the same time invocations come first, so that the calls overlap. */
function entriesOf(calls: readonly TimedCall<unknown, unknown>[]): Entry {
  const events = calls.flatMap(({ invoked, returned }, call) => {
    const match: Entry = { call, match: undefined, previous: undefined, next: undefined };
    const invocation: Entry = { call, match, previous: undefined, next: undefined };
    return [
      { at: invoked, order: 0, entry: invocation },
      { at: returned, order: 1, entry: match },
    ];
  });
  events.sort((a, b) => (a.at === b.at ? a.order - b.order : a.at - b.at));
  const head: Entry = { call: -1, match: undefined, previous: undefined, next: undefined };
  let last = head;
  for (const { entry } of events) {
    entry.previous = last;
    last.next = entry;
    last = entry;
  }
  return head;
}

function lift(entry: Entry): void {
  for (const each of [entry, entry.match]) {
    if (each?.previous !== undefined) each.previous.next = each.next;
    if (each?.next !== undefined) each.next.previous = each.previous;
  }
}

function unlift(entry: Entry): void {
  for (const each of [entry.match, entry]) {
    if (each?.previous !== undefined) each.previous.next = each;
    if (each?.next !== undefined) each.next.previous = each;
  }
}
