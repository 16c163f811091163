/** What a client sees of a thing. A member that is left out was not looked at, or is not shown. */
export interface Answer {
  readonly status: number;
  /** Which of the bodies that were sent it shows. */
  readonly content?: string;
  /** Whether the list that was asked for has it. */
  readonly listed?: boolean;
}

/** One outcome that the document allows. */
export interface Outcome<K> {
  readonly status: readonly number[];
  /** What the answer shows, where the document says. */
  readonly shows?: Omit<Answer, 'status'>;
  /** What is known afterwards. */
  readonly after: K;
  /** Where api.md says so, or leaves it open. */
  readonly source: string;
}

/** Given what is known and a request: everything that the document allows. Pure. */
export type Oracle<K, R> = (known: K, request: R) => readonly Outcome<K>[];

/** What is known after an answer, one for each outcome that it fits; none: the document does not allow it. */
export function narrow<K>(outcomes: readonly Outcome<K>[], answer: Answer): readonly K[] {
  return outcomes.filter((each) => fits(each, answer)).map((each) => each.after);
}

function fits<K>({ status, shows }: Outcome<K>, answer: Answer): boolean {
  if (!status.includes(answer.status)) return false;
  return agrees(shows?.content, answer.content) && agrees(shows?.listed, answer.listed);
}

function agrees<T>(wanted: T | undefined, got: T | undefined): boolean {
  return wanted === undefined || got === undefined || wanted === got;
}

/** The outcomes in words, for what a finding expected. */
export function tell<K>(outcomes: readonly Outcome<K>[]): string {
  return outcomes
    .map(({ status, shows, source }) => `${status.join(' or ')}${words(shows)} (api.md ${source})`)
    .join(', or ');
}

function words(shows: Omit<Answer, 'status'> | undefined): string {
  const content = shows?.content === undefined ? '' : ` and shows ${shows.content}`;
  return shows?.listed === undefined ? content : `${content} and ${shows.listed ? 'lists it' : 'does not list it'}`;
}
