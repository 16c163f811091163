import { compareSchemas } from './schema/walk.ts';
import type { MediaContent, ResponseSpec } from '../contract.ts';
import type { ChangeClass } from './change.ts';
import type { OperationPair, Setting } from './pair.ts';

type Side = 'request' | 'response';

interface ContentPair {
  readonly a: readonly MediaContent[];
  readonly b: readonly MediaContent[];
  readonly pointerA: string;
  readonly pointerB: string;
  readonly subject: string;
}

function compareContent(setting: Setting, side: Side, pair: ContentPair): void {
  const { a, b, pointerA, pointerB, subject } = pair;
  const tell = (cls: ChangeClass, words: string): void =>
    setting.tell({ class: cls, side, pointerA, pointerB, subject, words });
  for (const { type } of a.filter((media) => b.length > 0 && !b.some((other) => other.type === media.type)))
    tell('breaking', `is no longer ${side === 'request' ? 'taken' : 'offered'} as ${type}`);
  for (const { type } of b.filter((media) => a.length > 0 && !a.some((other) => other.type === media.type)))
    tell('harmless', `is now ${side === 'request' ? 'taken' : 'offered'} as ${type} too`);
  const compared = new Set<string>();
  for (const media of a) {
    const other = b.find((item) => item.type === media.type);
    if (other === undefined) continue;
    if (media.schema === undefined && other.schema !== undefined)
      tell(side === 'request' ? 'risky' : 'harmless', 'has a schema now');
    if (media.schema !== undefined && other.schema === undefined)
      tell(side === 'request' ? 'harmless' : 'risky', 'has no schema any more');
    if (media.schema === undefined || other.schema === undefined) continue;
    const key = `${JSON.stringify(media.schema.schema)} ${JSON.stringify(other.schema.schema)}`;
    if (!compared.has(key)) compareSchemas(setting, side, media.schema, other.schema, subject);
    compared.add(key);
  }
}

/** Compares the request bodies of two versions of one operation. */
export function compareBodies(setting: Setting, { a, b }: OperationPair): void {
  const subject = 'the request body';
  const pointers = {
    pointerA: `${a.forms[0]?.pointer ?? ''}/requestBody`,
    pointerB: `${b.forms[0]?.pointer ?? ''}/requestBody`,
  };
  const tell = (cls: ChangeClass, words: string): void =>
    setting.tell({ class: cls, side: 'request', ...pointers, subject, words });
  if (a.body === undefined && b.body !== undefined)
    tell(b.body.required ? 'breaking' : 'harmless', b.body.required ? 'is new and required' : 'is new');
  if (a.body !== undefined && b.body === undefined) tell('risky', 'is gone');
  if (a.body === undefined || b.body === undefined) return;
  if (a.body.required !== b.body.required)
    tell(b.body.required ? 'breaking' : 'harmless', b.body.required ? 'is now required' : 'is no longer required');
  compareContent(setting, 'request', { a: a.body.content, b: b.body.content, ...pointers, subject });
}

function compareHeaders(
  setting: Setting,
  a: ResponseSpec,
  b: ResponseSpec,
  pointers: { readonly pointerA: string; readonly pointerB: string },
): void {
  for (const [name, header] of Object.entries(a.headers)) {
    const other = b.headers[name];
    const subject = `the header ${name} of the response ${a.status}`;
    if (other === undefined)
      setting.tell({
        class: header.required ? 'breaking' : 'risky',
        side: 'response',
        ...pointers,
        subject,
        words: 'is gone',
      });
    else if (header.required && !other.required)
      setting.tell({ class: 'breaking', side: 'response', ...pointers, subject, words: 'is no longer required' });
    if (header.schema !== undefined && other?.schema !== undefined)
      compareSchemas(setting, 'response', header.schema, other.schema, subject);
  }
}

function isSuccess(response: ResponseSpec): boolean {
  return response.status.startsWith('2');
}

/** Compares the responses of two versions of one operation. */
export function compareResponses(setting: Setting, { a, b }: OperationPair): void {
  const at = { a: a.forms[0]?.pointer ?? '', b: b.forms[0]?.pointer ?? '' };
  for (const response of a.responses) {
    const subject = `the response ${response.status}`;
    const pointers = {
      pointerA: `${at.a}/responses/${response.status}`,
      pointerB: `${at.b}/responses/${response.status}`,
    };
    const other = b.responses.find((item) => item.status === response.status);
    if (other === undefined) {
      setting.tell({
        class: isSuccess(response) ? 'breaking' : 'harmless',
        side: 'response',
        pointerA: pointers.pointerA,
        subject,
        words: 'is gone',
      });
      continue;
    }
    if (response.content.length > 0 && other.content.length === 0)
      setting.tell({ class: 'risky', side: 'response', ...pointers, subject, words: 'no longer shows its body' });
    if (response.content.length === 0 && other.content.length > 0)
      setting.tell({ class: 'harmless', side: 'response', ...pointers, subject, words: 'now shows its body' });
    compareContent(setting, 'response', { a: response.content, b: other.content, ...pointers, subject });
    compareHeaders(setting, response, other, pointers);
  }
  for (const response of b.responses.filter((item) => !a.responses.some((other) => other.status === item.status))) {
    setting.tell({
      class: isSuccess(response) ? 'risky' : 'harmless',
      side: 'response',
      pointerB: `${at.b}/responses/${response.status}`,
      subject: `the response ${response.status}`,
      words: 'is new',
    });
  }
}
