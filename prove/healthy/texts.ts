import { isObject, mapValues } from '../../spec/json.ts';
import { together } from '../proxy/compose.ts';
import { served, withBody } from '../proxy/call.ts';
import { at } from '../proxy/handler.ts';
import { asObject } from '../proxy/json.ts';
import type { JsonMap } from '../proxy/json.ts';
import type { Make } from '../proxy/message.ts';
import { objects } from './changes.ts';
import { NOT_SHOWN, SEVERAL, variation } from './variation.ts';
import type { Variation } from './variation.ts';
import { WRITES } from '../defects/operations.ts';

/** Changes bodies before they are stored. */
const storing = (change: (body: JsonMap) => JsonMap): Make =>
  at({ op: WRITES, when: (call) => served(call) && isObject(call.json) }).requests(({ json }) => {
    const body = asObject(json);
    const changed = change(body);
    return JSON.stringify(changed) === JSON.stringify(body) ? undefined : withBody(changed);
  });

const inTexts =
  (change: (text: string) => string) =>
  (body: JsonMap): JsonMap =>
    Object.fromEntries(
      Object.entries(body).map(([name, value]) => {
        const isText = typeof value === 'string' && /^(?:name|description|prompt|instructions)$/.test(name);
        return [name, isText && (name !== 'name' || change(value) !== '') ? change(value) : value];
      }),
    );

const trimmed = storing(inTexts((text) => text.trim()));
const normalised = storing(inTexts((text) => text.normalize('NFC')));
const withoutMarkup = storing(inTexts((text) => text.replaceAll(/<[^>]*>/g, '')));

const trimmedMap = ({ metadata }: JsonMap): JsonMap =>
  mapValues(asObject(metadata), (value) => (typeof value === 'string' ? value.trim() : value));

const emptyAsNull = storing((body) =>
  mapValues(body, (value, name) => (value === '' && name !== 'name' ? null : value)),
);

const camelCased = storing((body) =>
  isObject(body['metadata'])
    ? {
        ...body,
        metadata: Object.fromEntries(
          Object.entries(asObject(body['metadata'])).map(([key, value]) => [
            // As the framework does it: UPPER becomes upper, URLPath becomes urlPath.
            key.replace(/^\p{Lu}+(?!\p{Ll})|^\p{Lu}/u, (capitals) => capitals.toLowerCase()),
            value,
          ]),
        ),
      }
    : body,
);

/** Texts that are normalised before they are stored. */
export const TEXTS_CLEANED: readonly Variation[] = [
  variation('map-values-trimmed', `whether texts are stored unchanged: ${NOT_SHOWN}`).json((value) =>
    objects(value, (object) => (isObject(object['metadata']) ? { ...object, metadata: trimmedMap(object) } : object)),
  ),
  variation('empty-texts-as-null', `whether texts are stored unchanged: ${NOT_SHOWN}`).by(emptyAsNull),
  variation('texts-cleaned', SEVERAL).by(together(trimmed, normalised, withoutMarkup, camelCased)),
];
