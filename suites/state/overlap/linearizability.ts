/** One call of a recorded history. Times by one clock, in any unit. */
export interface Call<R, A> {
  readonly request: R;
  readonly invoked: number;
  /** Infinity where no answer came: it may take effect at any time, or never. */
  readonly returned: number;
  readonly answer?: A;
}

/** What may happen, one call after another. */
export interface Sequential<S, R, A> {
  readonly initial: readonly S[];
  /** States after a call that was answered so; none: that answer can't be. Without an answer: all states that it may have left. */
  step(state: S, request: R, answer: A | undefined): readonly S[];
  /** The same for states that nothing tells apart. */
  key(state: S): string;
}

interface Entry {
  readonly call: number;
  /** The return of an invocation; undefined for a return. */
  readonly match: Entry | undefined;
  previous: Entry | undefined;
  next: Entry | undefined;
}

/**
 * An order of the calls, as indices, that explains all answers and keeps every call between its invocation and its return;
 * undefined where there is none: the history is not linearizable.
 *
 * The search of J. M. Wing and C. Gong, "Testing and verifying concurrent objects" (J. Parallel Distrib. Comput. 17, 1993),
 * with G. Lowe's memory of configurations, "Testing for linearizability" (Concurrency Computat. Pract. Exper. 29(4), 2017).
 * Histories of independent objects are checked one by one: linearizability is local (Herlihy and Wing, 1990).
 */
export function linearize<S, R, A>(calls: readonly Call<R, A>[], model: Sequential<S, R, A>): readonly number[] | undefined {
  const head = entriesOf(calls);
  const seen = new Set<string>();
  const done = new Done(calls.length);
  const stack: { readonly entry: Entry; readonly states: readonly S[] }[] = [];
  let states = distinct(model, model.initial);
  let entry = head.next;
  while (head.next !== undefined) {
    if (entry?.match !== undefined) {
      const call = calls[entry.call] as Call<R, A>;
      const after = distinct(model, states.flatMap((state) => model.step(state, call.request, call.answer)));
      if (after.length > 0 && remember(seen, done, entry.call, after.map((state) => model.key(state)))) {
        stack.push({ entry, states });
        states = after;
        done.add(entry.call);
        lift(entry);
        entry = head.next;
      } else entry = entry.next;
    } else {
      const last = stack.pop();
      if (last === undefined) return undefined;
      states = last.states;
      done.remove(last.entry.call);
      unlift(last.entry);
      entry = last.entry.next;
    }
  }
  return stack.map((each) => each.entry.call);
}

/** Calls that are already in the order. */
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
    const key = this.#bits.join(',');
    this.remove(call);
    return key;
  }
}

function remember(seen: Set<string>, done: Done, call: number, keys: readonly string[]): boolean {
  const key = `${done.with(call)} ${[...keys].sort().join(' ')}`;
  if (seen.has(key)) return false;
  seen.add(key);
  return true;
}

function distinct<S, R, A>(model: Sequential<S, R, A>, states: readonly S[]): readonly S[] {
  return states.length < 2 ? states : [...new Map(states.map((state) => [model.key(state), state])).values()];
}

/** Invocations and returns by time; at the same moment invocations come first, so that the calls count as overlapping. */
function entriesOf(calls: readonly Call<unknown, unknown>[]): Entry {
  const events = calls.flatMap(({ invoked, returned }, call) => {
    const match: Entry = { call, match: undefined, previous: undefined, next: undefined };
    const invocation: Entry = { call, match, previous: undefined, next: undefined };
    return [{ at: invoked, order: 0, entry: invocation }, { at: returned, order: 1, entry: match }];
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
