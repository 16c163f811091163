import { isUuid } from '../../../domain/items.ts';
import { isObject } from '../../../spec/index.ts';
import type { GeneratedRequest } from '../../../generators/index.ts';
import type { Json, JsonObject } from '../../../spec/index.ts';
import { NAME } from '../attempts/slot.ts';
import { withBodyValue } from '../case.ts';
import type { Case } from '../case.ts';
import { TEXTS } from './values.ts';

const LENGTHS: readonly number[] = [65, 129, 257, 1025, 4097];
const TEXTS_TRIED = 26;

/** Items whose texts are all unusual in one way, or with a member that is null or empty. Names keep the run's tag, so that the clean-up finds the items. */
export function* unusualItems(base: GeneratedRequest): Iterable<Case> {
  const body = base.body?.value;
  if (!isObject(body)) return;
  yield { request: base, form: 0 };
  let form = 0;
  for (const text of [...TEXTS.slice(0, TEXTS_TRIED), ...LENGTHS.map((length) => 'a'.repeat(length))]) {
    form += 1;
    yield { request: withBodyValue(base, withText(body, text)), form };
  }
  for (const [key, value] of Object.entries(body)) {
    if (typeof value === 'string' && value.includes(NAME) && key === 'name') continue;
    const empty: readonly Json[] = [
      null,
      ...(typeof value === 'string' ? [] : Array.isArray(value) ? [[]] : isObject(value) ? [{}] : []),
    ];
    for (const each of empty) {
      form += 1;
      yield { request: withBodyValue(base, { ...body, [key]: each }), form };
    }
  }
}

/** Items with an unusual text in the middle of their names, where it cannot be trimmed. */
export function* unusualNames(base: GeneratedRequest): Iterable<Case> {
  const body = base.body?.value;
  if (!isObject(body)) return;
  for (const [form, text] of ['', ...TEXTS].entries()) {
    yield { request: withBodyValue(base, { ...body, name: `${NAME}-${text}-end` }), form };
  }
}

/** The request with letters of many scripts after each free text. */
export function inManyScripts(request: GeneratedRequest): GeneratedRequest {
  return request.body === undefined ? request : withBodyValue(request, manyScripts(request.body.value));
}

function manyScripts(value: Json): Json {
  if (typeof value === 'string')
    return value.includes(NAME) || value.includes(' ') ? `${value} \u00E9\u0416\u65E5\u{1F48E}` : value;
  if (Array.isArray(value)) return (value as readonly Json[]).map(manyScripts);
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, manyScripts(member)]))
    : value;
}

function withText(body: JsonObject, text: string): Json {
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [key, textPart(value, text)]));
}

function textPart(value: Json, text: string): Json {
  if (isMap(value)) return Object.fromEntries(Object.keys(value).map((key) => [key, text]));
  if (typeof value !== 'string') return value;
  const changed = value.includes(NAME) && value.length < 2 * NAME.length ? `${NAME}-${text}` : text;
  return isUuid(value) ? value : changed;
}

function isMap(value: Json): value is JsonObject {
  return (
    isObject(value) &&
    Object.keys(value).length > 0 &&
    Object.entries(value).every(([key, member]) => typeof member === 'string' && key.includes('-'))
  );
}
