import { isSuccess } from '../../spec/index.ts';

/** What a response shows of an item. A member is left out where the response does not show it. */
export interface Observed {
  readonly status: number;
  /** Which of the bodies that were sent it shows. */
  readonly content?: string;
  /** Whether the requested list holds it. */
  readonly listed?: boolean;
}

/** One outcome that the document allows. */
export interface Outcome<K> {
  readonly status: readonly number[];
  /** What the response shows, where the document says so. */
  readonly shows?: Omit<Observed, 'status'>;
  /** What is known afterwards. */
  readonly after: K;
  /** Where api.md says so, or leaves it open. */
  readonly source: string;
}

/** True for a success with content: it shows the item, whether or not its status is documented. */
export function isShown(status: number): boolean {
  return isSuccess(status) && status !== 204;
}

/** Given what is known and a request, the set of outcomes that the document allows. Pure. */
export type Oracle<K, R> = (known: K, request: R) => readonly Outcome<K>[];

/** What is known after a response, by outcome that it fits; none: it is not allowed. A success that {@link isShown} counts as 200. */
export function narrow<K>(outcomes: readonly Outcome<K>[], observed: Observed): readonly K[] {
  return outcomes
    .filter(({ status }) => status.includes(observed.status) || (isShown(observed.status) && status.includes(200)))
    .filter(({ shows }) => agrees(shows?.content, observed.content) && agrees(shows?.listed, observed.listed))
    .map(({ after }) => after);
}

function agrees<T>(expected: T | undefined, observed: T | undefined): boolean {
  return expected === undefined || observed === undefined || expected === observed;
}

/** The allowed outcomes as text, for the expectation of a finding. */
export function describeOutcomes<K>(outcomes: readonly Outcome<K>[]): string {
  return outcomes
    .map(({ status, shows = {}, source }) => `${describe(status.join(' or '), shows)} (api.md section ${source})`)
    .join(', or ');
}

/** What was observed as text. */
export function describeObserved({ status, ...shows }: Observed): string {
  return describe(String(status), shows);
}

function describe(status: string, { content, listed }: Omit<Observed, 'status'>): string {
  const membership = listed === undefined ? [] : [listed ? 'listed' : 'not listed'];
  return [`status ${status}`, ...membership, ...(content === undefined ? [] : [describeContent(content)])].join(', ');
}

/** Describes a body by the end of its name, as the requests of a finding show it; other contents are quoted. */
export function describeContent(content: string): string {
  return isSent(content) ? `named "…-${content}"` : `showing ${content}`;
}

/** True for the content of a body of this run, as `newContent` numbers them. */
export function isSent(content: string): boolean {
  return /^c[a-z0-9]+$/.test(content);
}
