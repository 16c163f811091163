import { isObject } from '../../spec/json.ts';
import type { CheckName } from '../../spec/index.ts';
import type { Defect } from '../defect.ts';
import { served, withBody, withQuery } from '../proxy/call.ts';
import type { OperationId, Where } from '../proxy/call.ts';
import { at } from '../proxy/handler.ts';
import { asObject } from '../proxy/json.ts';
import type { JsonMap } from '../proxy/json.ts';
import { problem } from '../proxy/reply.ts';
import { itemOf } from './items.ts';
import type { Call, Make } from '../proxy/message.ts';

export const SERVED = 'valid requests succeed; 500: unexpected server error (section 7)';
export const UNEXPECTED = '500: unexpected server error (section 7)';
export const AS_TEXT_JSON = 'bodies are accepted as text/json (section 4)';
export const LISTS_AGENTS = 'the list holds the agents (section 4)';
export const LISTS_JOBS = 'the list holds the jobs (section 4)';
export const STORED = 'what is posted is what is stored (section 4)';
export const PAGED = 'page and take, pageNumber and pageSize page the list (section 8)';
export const REFUSED = 'a refused request changes nothing (section 7)';
export const METADATA = 'metadataFilter selects by metadata (section 4)';
export const SORTED = 'orderBy is the field to sort by (section 8)';
export const GONE = 'what was deleted is answered with 404 (section 7)';
export const ACTIVATES = 'activate makes a policy active, deactivate inactive (section 3)';
export const FORMS = 'both forms behave the same (sections 4 and 9)';

/** A condition on a body and its request. */
export type Test = (body: JsonMap, call: Call) => boolean;

/** A defect written by hand; its name says what it does. */
export const defect = (
  name: string,
  breaks: string,
  operations: readonly OperationId[],
  checks: readonly CheckName[],
): { readonly by: (make: Make) => Defect } => ({
  by: (make) => ({ name, title: '', breaks, origin: 'hand-written', operations, checks, warns: false, make }),
});

/** Marks a defect that violates published or inferred requirements only: a warning counts as caught. */
export const warning = (given: Defect): Defect => ({ ...given, warns: true });

/** A {@link defect} that violates published or inferred requirements only. */
export const warningDefect = (...args: Parameters<typeof defect>): ReturnType<typeof defect> => ({
  by: (make) => warning(defect(...args).by(make)),
});

/** Requests with the full token that meet the condition. */
export const where = (ops: readonly OperationId[], test: Test = () => true, form?: string): Where => ({
  op: ops,
  ...(form === undefined ? {} : { form }),
  when: (call) => served(call) && test(asObject(call.json), call),
});

/** A condition on a query. */
export type Asked = (search: URLSearchParams, call: Call) => boolean;

/** Replaces parameters of a query. */
export const misreads = (
  name: string,
  breaks: string,
  ops: readonly OperationId[],
  asked: Asked,
  changes: Readonly<Record<string, string | number | undefined>>,
): Defect =>
  defect(name, breaks, ops, ['filters', 'ordering', 'paging-partition', 'paging-past-end']).by(
    at(where(ops, (_, call) => asked(call.search, call))).requests((call) => withQuery(call, changes)),
  );

/** Answers 500 to a valid request that meets the condition. */
export const fails = (name: string, ops: readonly OperationId[], test: Test, form?: string): Defect =>
  defect(name, form === undefined ? SERVED : FORMS, ops, ['no-server-error']).by(
    at(where(ops, test, form)).successes(() => problem(500)),
  );

/** Answers 500 to an invalid request that meets the condition, instead of refusing it. */
export const failsRefusing = (name: string, ops: readonly OperationId[], test: Test): Defect =>
  defect(name, '400: malformed or failed validation (section 7)', ops, ['no-server-error']).by(
    at(where(ops, test)).replies((reply) => ([400, 409].includes(reply.status) ? problem(500) : reply)),
  );

/** The read of what a creation or an update stores. */
const readOf = (op: OperationId): OperationId =>
  op.replace(/^POST (.*)/, 'GET $1/{id}').replace(/^PUT/, 'GET') as OperationId;

/** Stores a changed body. */
export const stores = (name: string, ops: readonly OperationId[], change: (body: JsonMap) => JsonMap): Defect =>
  defect(
    name,
    STORED,
    [...new Set([...ops, ...ops.map(readOf)])],
    ['created-reads-back', 'updated-reads-back', 'equal-json'],
  ).by(
    at(where(ops, (_, { json }) => isObject(json))).requests((call) => {
      const after = change(asObject(call.json));
      return JSON.stringify(call.json) === JSON.stringify(after) ? undefined : withBody(after);
    }),
  );

/** Stores a changed text member. */
export const alters = (
  name: string,
  ops: readonly OperationId[],
  member: string,
  change: (text: string) => string,
): Defect =>
  stores(name, ops, (body) => (typeof body[member] === 'string' ? { ...body, [member]: change(body[member]) } : body));

/** An update stores a body that depends on the old item; undefined stores the body as sent. */
export const depends = (
  name: string,
  op: OperationId,
  change: (body: JsonMap, old: JsonMap) => JsonMap | undefined,
): Defect =>
  defect(name, STORED, [op, readOf(op)], ['updated-reads-back', 'json-patch']).by(
    at(where([op], (body) => Object.keys(body).length > 0)).handles(async (call, next, context) => {
      const after = change(asObject(call.json), await itemOf(call, context));
      return next(after === undefined ? undefined : withBody(after));
    }),
  );

/** True for two texts that differ only in upper and lower case. */
export const sameButForCase = (a: string, b: string): boolean => a !== b && a.toLowerCase() === b.toLowerCase();
/** The value if it is a text, or else an empty text. */
export const str = (value: unknown): string => (typeof value === 'string' ? value : '');
/** Answers 500 to a valid request in which a member is a text that meets the condition. */
export const failsOnText = (
  name: string,
  ops: readonly OperationId[],
  member: string,
  test: (value: string) => boolean,
): Defect => fails(name, ops, (body) => typeof body[member] === 'string' && test(body[member]));
/** The metadata of a body. */
export const entries = (body: JsonMap): readonly (readonly [string, unknown])[] =>
  Object.entries(asObject(body['metadata']));
export const keys = (body: JsonMap): readonly string[] => entries(body).map(([key]) => key);

type Entries = readonly (readonly [string, unknown])[];
/** Stores changed metadata, if there is any. */
export const storesEntries = (name: string, ops: readonly OperationId[], change: (all: Entries) => Entries): Defect =>
  stores(name, ops, (body) =>
    entries(body).length === 0 ? body : { ...body, metadata: Object.fromEntries(change(entries(body))) },
  );
/** True if two of the names differ only in upper and lower case, or not at all. */
export const alike = (names: readonly string[]): boolean =>
  new Set(names.map((name) => name.toLowerCase())).size < names.length;
