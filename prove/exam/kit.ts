import type { CheckName } from '../../spec/index.ts';
import type { Defect } from '../defect.ts';
import {
  asList,
  asObject,
  at,
  parsed,
  problem,
  replies,
  requests,
  served,
  succeeded,
  withBody,
} from '../proxy/edit.ts';
import type { JsonMap, Where } from '../proxy/edit.ts';
import { itself } from './items.ts';
import type { Call, Make } from '../proxy/message.ts';

export const SERVED = 'valid requests succeed; 500: unexpected server error (section 7)';
export const STORED = 'what is posted is what is stored (section 4)';
export const FORMS = 'both forms behave the same (sections 4 and 9)';

/** Looks at a body and its request. */
export type Test = (body: JsonMap, call: Call) => boolean;

/** A row of the exam. */
export function row(
  name: string,
  breaks: string,
  operations: readonly string[],
  checks: readonly CheckName[],
  make: Make,
): Defect {
  const title = `${name.replaceAll('-', ' ')}.`;
  return { name, title, breaks, origin: 'exam', operations, checks, warns: false, make };
}

/** What violates only what is published or follows from the document: a warning. */
export const warning = (defect: Defect): Defect => ({ ...defect, warns: true });

/** Requests with the full token that fit. */
export const where = (ops: readonly string[], test: Test = () => true, form?: string): Where => ({
  op: ops,
  ...(form === undefined ? {} : { form }),
  when: (call) => served(call) && test(asObject(call.json), call),
});

/** Answers 500 to a valid request that fits. */
export const fails = (name: string, ops: readonly string[], test: Test, form?: string): Defect =>
  row(
    name,
    form === undefined ? SERVED : FORMS,
    ops,
    ['no-server-error'],
    replies(where(ops, test, form), (reply) => (succeeded(reply) ? problem(500) : reply)),
  );

/** Answers 500 to a request that fits, where it should be refused. */
export const failsRefusing = (name: string, ops: readonly string[], test: Test): Defect =>
  row(
    name,
    '400: malformed or failed validation (section 7)',
    ops,
    ['no-server-error'],
    replies(where(ops, test), (reply) => ([400, 409].includes(reply.status) ? problem(500) : reply)),
  );

/** Stores another body than was sent. */
export const stores = (
  name: string,
  ops: readonly string[],
  read: string,
  change: (body: JsonMap) => JsonMap,
  form?: string,
): Defect =>
  row(
    name,
    form === undefined ? STORED : FORMS,
    [...ops, read],
    ['created-reads-back', 'updated-reads-back', 'equal-json'],
    requests(
      where(ops, (_, { json }) => typeof json === 'object' && json !== null && !Array.isArray(json), form),
      (call) => {
        const after = change(asObject(call.json));
        return JSON.stringify(call.json) === JSON.stringify(after) ? undefined : withBody(after);
      },
    ),
  );

/** Stores a text member otherwise than it was sent. */
export const alters = (
  name: string,
  ops: readonly string[],
  read: string,
  member: string,
  change: (text: string) => string,
  form?: string,
): Defect =>
  stores(
    name,
    ops,
    read,
    (body) => (typeof body[member] === 'string' ? { ...body, [member]: change(body[member]) } : body),
    form,
  );

/** What an update stores depends on what the item held; undefined stores what was sent. */
export const depends = (
  name: string,
  op: string,
  read: string,
  change: (body: JsonMap, old: JsonMap) => JsonMap | undefined,
): Defect =>
  row(
    name,
    STORED,
    [op, read],
    ['updated-reads-back', 'json-patch'],
    at(
      where([op], (body) => Object.keys(body).length > 0),
      async (call, next, context) => {
        const after = change(asObject(call.json), asObject(parsed(await context.send('GET', itself(call)))));
        return next(after === undefined ? undefined : withBody(after));
      },
    ),
  );

export const str = (value: unknown): string => (typeof value === 'string' ? value : '');
export const text =
  (member: string, test: (value: string) => boolean): Test =>
  (body) =>
    typeof body[member] === 'string' && test(body[member]);
/** A number that depends on the text only. */
export const hash = (value: string): number =>
  [...Buffer.from(value)].reduce((sum, byte) => (sum * 31 + byte) >>> 0, 7);
export const entries = (body: JsonMap): readonly (readonly [string, unknown])[] =>
  Object.entries(asObject(body['metadata']));
export const keys = (body: JsonMap): readonly string[] => entries(body).map(([key]) => key);
type Entries = readonly (readonly [string, unknown])[];
export const withEntries =
  (change: (all: Entries) => Entries) =>
  (body: JsonMap): JsonMap =>
    entries(body).length === 0 ? body : { ...body, metadata: Object.fromEntries(change(entries(body))) };
export const sources = (body: JsonMap): readonly JsonMap[] => asList(body['dataSources']).map(asObject);
export const alike = (names: readonly string[]): boolean =>
  new Set(names.map((name) => name.toLowerCase())).size < names.length;
