import { pointerOf, reporterOf } from './change.ts';
import { compareSchemas } from './schema/walk.ts';
import type { MediaContent, ResponseSpec } from '../contract.ts';
import type { OperationPair } from './change.ts';
import type { SchemaDiff } from './schema/walk.ts';

interface ContentPair {
  readonly a: readonly MediaContent[];
  readonly b: readonly MediaContent[];
  readonly pointerA: string;
  readonly pointerB: string;
  readonly subject: string;
}

function lacks(content: readonly MediaContent[], { type }: MediaContent): boolean {
  return content.length > 0 && !content.some((media) => media.type === type);
}

function compareContent(comparison: SchemaDiff, side: 'request' | 'response', pair: ContentPair): void {
  const { a, b, subject, ...pointers } = pair;
  const report = reporterOf(comparison.report, { side, ...pointers, subject });
  const isRequest = side === 'request';
  const verb = isRequest ? 'accepted' : 'offered';
  for (const media of a) if (lacks(b, media)) report('breaking', `is no longer ${verb} as ${media.type}`);
  for (const media of b) if (lacks(a, media)) report('harmless', `is now ${verb} as ${media.type} too`);
  const compared = new Set<string>();
  for (const { type, schema: before } of a) {
    const other = b.find((item) => item.type === type);
    const after = other?.schema;
    if (other === undefined) continue;
    if (before === undefined && after !== undefined) report(isRequest ? 'risky' : 'harmless', 'now has a schema');
    if (before !== undefined && after === undefined) report(isRequest ? 'harmless' : 'risky', 'no longer has a schema');
    if (before === undefined || after === undefined) continue;
    const key = `${JSON.stringify(before.schema)} ${JSON.stringify(after.schema)}`;
    if (!compared.has(key)) compareSchemas(comparison, side, before, after, subject);
    compared.add(key);
  }
}

/** Compares the request bodies of two versions of one operation. */
export function compareBodies(comparison: SchemaDiff, { a, b }: OperationPair): void {
  const subject = 'the request body';
  const pointers = { pointerA: `${pointerOf(a)}/requestBody`, pointerB: `${pointerOf(b)}/requestBody` };
  const report = reporterOf(comparison.report, { side: 'request', ...pointers, subject });
  if (a.body === undefined && b.body !== undefined) {
    if (b.body.required) report('breaking', 'was added and is required');
    else report('harmless', 'was added');
  }
  if (a.body !== undefined && b.body === undefined) report('risky', 'was removed');
  if (a.body === undefined || b.body === undefined) return;
  if (b.body.required && !a.body.required) report('breaking', 'is now required');
  if (a.body.required && !b.body.required) report('harmless', 'is no longer required');
  compareContent(comparison, 'request', { a: a.body.content, b: b.body.content, ...pointers, subject });
}

/** Compares the responses of two versions of one operation. */
export function compareResponses(comparison: SchemaDiff, { a, b }: OperationPair): void {
  for (const response of a.responses) {
    const pointerA = `${pointerOf(a)}/responses/${response.status}`;
    const pointerB = `${pointerOf(b)}/responses/${response.status}`;
    const other = b.responses.find((item) => item.status === response.status);
    if (other !== undefined) compareResponse(comparison, response, other, { pointerA, pointerB });
    else {
      const subject = { side: 'response', pointerA, subject: `the response ${response.status}` } as const;
      reporterOf(comparison.report, subject)(isSuccess(response) ? 'breaking' : 'harmless', 'was removed');
    }
  }
  for (const response of b.responses.filter((item) => !a.responses.some(({ status }) => status === item.status))) {
    const pointerB = `${pointerOf(b)}/responses/${response.status}`;
    const subject = { side: 'response', pointerB, subject: `the response ${response.status}` } as const;
    reporterOf(comparison.report, subject)(isSuccess(response) ? 'risky' : 'harmless', 'was added');
  }
}

type Pointers = Readonly<Record<'pointerA' | 'pointerB', string>>;

function compareResponse(comparison: SchemaDiff, a: ResponseSpec, b: ResponseSpec, pointers: Pointers): void {
  const subject = `the response ${a.status}`;
  const report = reporterOf(comparison.report, { side: 'response', ...pointers, subject });
  if (a.content.length > 0 && b.content.length === 0) report('risky', 'no longer describes its body');
  if (a.content.length === 0 && b.content.length > 0) report('harmless', 'now describes its body');
  compareContent(comparison, 'response', { a: a.content, b: b.content, ...pointers, subject });
  compareHeaders(comparison, a, b, pointers);
}

function compareHeaders(comparison: SchemaDiff, a: ResponseSpec, b: ResponseSpec, pointers: Pointers): void {
  for (const [name, header] of Object.entries(a.headers)) {
    const other = b.headers[name];
    const subject = `the header ${name} of the response ${a.status}`;
    const report = reporterOf(comparison.report, { side: 'response', ...pointers, subject });
    if (other === undefined) report(header.required ? 'breaking' : 'risky', 'was removed');
    else if (header.required && !other.required) report('breaking', 'is no longer required');
    if (header.schema !== undefined && other?.schema !== undefined)
      compareSchemas(comparison, 'response', header.schema, other.schema, subject);
  }
}

function isSuccess(response: ResponseSpec): boolean {
  return response.status.startsWith('2');
}
