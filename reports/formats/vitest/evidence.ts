import { parsedJson } from '../../../spec/json.ts';
import { pointerTokens } from '../../../spec/pointer.ts';
import type { FindingScript, ScriptRequest, ShownExchange } from '../../../spec/index.ts';
import type { MergedFinding } from '../../summary/types.ts';
import { literal, quoted } from './literal.ts';
import { itemsBefore } from './pages.ts';
import type { ScriptCode, Answered } from './scenario.ts';

/** A JSON body: as code of its value, and the value in the run. */
export interface SentBody {
  readonly code: string;
  readonly value: unknown;
  readonly request: ScriptRequest;
}

/** What an expectation is made from: the finding, and the variables that hold the answers of its steps. */
export class FindingEvidence {
  readonly finding: MergedFinding;
  readonly script: FindingScript;
  readonly scenario: ScriptCode;
  readonly steps: readonly Answered[];

  constructor(finding: MergedFinding, script: FindingScript, scenario: ScriptCode) {
    this.finding = finding;
    this.script = script;
    this.scenario = scenario;
    this.steps = scenario.sent
      .filter(({ request }) => request.step !== undefined)
      .toSorted((a, b) => (a.request.step ?? 0) - (b.request.step ?? 0));
  }

  get last(): Answered {
    const last = this.steps.at(-1);
    if (last === undefined) throw new Error('a script has no step');
    return last;
  }

  get answer(): string {
    return this.last.answer;
  }

  get shown(): ShownExchange | undefined {
    return this.finding.steps[this.last.request.step ?? -1];
  }

  /** Media type of the answer, where the request did not ask for it: a correct answer may have another, with other rules for bodies. */
  get unaskedType(): string | undefined {
    const { headers = [] } = this.shown?.response ?? {};
    const [, value = ''] = headers.find(([name]) => name.toLowerCase() === 'content-type') ?? [];
    const type = value.split(';', 1)[0]?.trim() ?? '';
    return type === '' || type === this.last.request.headers['accept'] ? undefined : type;
  }

  /** Variable of the last read, done before the change too; undefined where the last step is no read after a change. */
  get readBefore(): string | undefined {
    const { request } = this.last;
    return request.method === 'GET' && this.changes.length > 0 ? 'before' : undefined;
  }

  /** The first read of what the last step reads; undefined where that is the last step itself. */
  get firstRead(): Answered | undefined {
    const { last } = this;
    return this.steps.find(
      (each) => each !== last && each.request.method === 'GET' && each.request.url === last.request.url,
    );
  }

  get changes(): readonly Answered[] {
    return this.steps.filter(({ request }) => request.method !== 'GET');
  }

  /** The last id in the URL of the last step, as code. */
  get lastId(): string | undefined {
    return this.idsIn(this.last.request.url).at(-1);
  }

  /** True where the last step read a list in the run. */
  get readsList(): boolean {
    return this.last.request.received?.length !== undefined;
  }

  /** Answer of the step before the last one that is alike: the same method, and the same path if there is one. */
  get earlier(): string | undefined {
    const { method, url } = this.last.request;
    const alike = this.steps.slice(0, -1).filter(({ request }) => request.method === method);
    return (alike.findLast(({ request }) => request.url === url) ?? alike.at(-1))?.answer;
  }

  /** The id that the finding is about: of what was created or changed in its steps, as code. */
  get subjectId(): string | undefined {
    const { changes } = this;
    const named = changes.toReversed().flatMap(({ request }) => this.idsIn(request.url))[0];
    const creation = changes.find(({ request }) => request.method === 'POST');
    return named ?? (creation === undefined ? this.lastId : idOf(creation));
  }

  /** True where the code of an id is a variable: the script makes what it names. */
  isMade(id: string): boolean {
    const { sent, names } = this.scenario;
    return sent.some(({ request: { captures } }) => captures?.some((each) => names.get(each.id) === id));
  }

  idsIn(text: string): readonly string[] {
    const ids = text.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b\d{16,19}\b/gi) ?? [];
    return ids.map((id) => this.scenario.names.get(id.toLowerCase()) ?? quoted(id));
  }

  /** The id that {@link subjectId} stands for in the run; undefined where that is no variable. */
  get subjectInRun(): string | undefined {
    return [...this.scenario.names].find(([, name]) => name === this.subjectId)?.[0];
  }

  /** True where the answer in the run contained the id that {@link subjectId} stands for. */
  get showedSubject(): boolean {
    const named = this.subjectInRun;
    const { ids = [] } = this.last.request.received ?? {};
    return named === undefined ? ids.length > 0 : ids.includes(named);
  }

  /** How many items a list of the run had where it lacked one that was created in it; 0 where it had them. */
  get listedWithout(): number {
    const ofList = ({ request: { url } }: Answered): string => url.split('?')[0]?.split('/').at(-1) ?? '';
    const lists = this.steps.filter(
      ({ request }) => request.method === 'GET' && request.received?.length !== undefined,
    );
    const shown = new Set(lists.flatMap(({ request }) => request.received?.ids ?? []));
    const isMissing = (each: Answered): boolean =>
      each.request.creates === true &&
      lists.some((list) => ofList(list) === ofList(each)) &&
      !idsMadeBy(each.request).some((id) => shown.has(id));
    if (!this.scenario.sent.some(isMissing)) return 0;
    const { defaults } = this.script;
    return Math.max(
      0,
      ...lists.map(({ request: { url, received } }) => itemsBefore(url, defaults) + (received?.length ?? 0)),
    );
  }

  /**
   * The last request with a JSON body, of those for the item that the last step reads if there are any: as code of its value, and the
   * value in the run.
   */
  get sent(): SentBody | undefined {
    const bodies = this.scenario.sent.filter(({ request }) => request.step !== undefined && isJson(request.body));
    const read = lastSegment(this.last.request.url);
    const makesRead = ({ request: { captures = [] } }: Answered): boolean => captures.some(({ id }) => id === read);
    const isOwn = (each: Answered): boolean => makesRead(each) || lastSegment(each.request.url) === read;
    const isOfItem = this.last.request.method === 'GET' && bodies.some(makesRead);
    return this.bodyOf(bodies.findLast((each) => !isOfItem || isOwn(each))?.request);
  }

  bodyOf(request: ScriptRequest | undefined): SentBody | undefined {
    if (request?.body === undefined || !isJson(request.body)) return undefined;
    const code = `JSON.parse(${literal(request.body, this.scenario.names)})`;
    return { code, value: JSON.parse(request.body) as unknown, request };
  }

  /** The request that created what the last step reads. */
  get creation(): ScriptRequest | undefined {
    const ids: readonly string[] = this.last.request.url.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi) ?? [];
    const made = ({ request: { captures = [], method } }: Answered): boolean =>
      method === 'POST' && captures.some(({ id }) => ids.includes(id));
    return this.scenario.sent.find(made)?.request;
  }

  get member(): string | undefined {
    const pointer = this.finding.instancePointer ?? this.finding.subject?.split(' ')[0] ?? '';
    return pointerTokens(pointer.startsWith('/') ? pointer : `/${pointer}`)[0];
  }
}

export const idsMadeBy = ({ captures, received }: ScriptRequest): readonly string[] =>
  captures?.map(({ id }) => id) ?? received?.ids ?? [];

/** The last part of a path, in lower case. */
export const lastSegment = (url = ''): string => url.split('?', 1)[0]?.split('/').at(-1)?.toLowerCase() ?? '';

export const idOf = ({ request, answer }: Answered): string =>
  `${answer}.${request.creates === true ? 'id' : 'ids[0]'}!`;

function isJson(body: string | undefined): boolean {
  return typeof parsedJson(body ?? '') === 'object';
}
