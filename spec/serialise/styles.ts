import { isObject } from '../json.ts';
import { plainText } from './encode.ts';
import type { ParameterStyle } from '../contract.ts';
import type { Json, JsonObject } from '../json.ts';

/** The parameter to write; `encode` is applied to names and values, not to separators. */
export interface StyledParameter {
  readonly name: string;
  readonly explode: boolean;
  readonly encode: (text: string) => string;
}

type Styler = (part: StyledParameter, value: Json) => string;

function items(part: StyledParameter, value: readonly Json[]): readonly string[] {
  return value.map((item) => part.encode(plainText(item)));
}

function members(part: StyledParameter, value: JsonObject): readonly (readonly [name: string, value: string])[] {
  return Object.entries(value).map(([key, item]) => [part.encode(key), part.encode(plainText(item))]);
}

function pairs(part: StyledParameter, value: JsonObject, between: string): readonly string[] {
  return members(part, value).map(([key, item]) => `${key}${between}${item}`);
}

const simple: Styler = (part, value) => {
  if (Array.isArray(value)) return items(part, value).join(',');
  if (isObject(value)) return pairs(part, value, part.explode ? '=' : ',').join(',');
  return part.encode(plainText(value));
};

const label: Styler = (part, value) => {
  const between = part.explode ? '.' : ',';
  if (Array.isArray(value)) return `.${items(part, value).join(between)}`;
  if (isObject(value)) return `.${pairs(part, value, part.explode ? '=' : ',').join(between)}`;
  return `.${part.encode(plainText(value))}`;
};

const matrix: Styler = (part, value) => {
  const name = part.encode(part.name);
  const one = (text: string): string => (text === '' ? `;${name}` : `;${name}=${text}`);
  if (Array.isArray(value))
    return part.explode ? items(part, value).map(one).join('') : one(items(part, value).join(','));
  if (isObject(value))
    return part.explode
      ? pairs(part, value, '=')
          .map((pair) => `;${pair}`)
          .join('')
      : one(pairs(part, value, ',').join(','));
  return one(part.encode(plainText(value)));
};

function delimited(between: string): Styler {
  return (part, value) => {
    const name = part.encode(part.name);
    if (Array.isArray(value)) {
      return part.explode
        ? items(part, value)
            .map((item) => `${name}=${item}`)
            .join('&')
        : `${name}=${items(part, value).join(between)}`;
    }
    if (isObject(value))
      return part.explode ? pairs(part, value, '=').join('&') : `${name}=${pairs(part, value, between).join(between)}`;
    return `${name}=${part.encode(plainText(value))}`;
  };
}

/** Brackets are encoded: every server accepts that, and a shell or curl does not treat them as patterns. */
function bracketed(part: StyledParameter, name: string, value: Json): readonly string[] {
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap((item) => bracketed(part, name, item));
  if (isObject(value))
    return Object.entries(value).flatMap(([key, item]) => bracketed(part, `${name}%5B${part.encode(key)}%5D`, item));
  return [`${name}=${part.encode(plainText(value))}`];
}

const deepObject: Styler = (part, value) => bracketed(part, part.encode(part.name), value).join('&');

/** Writers by style. Query and cookie styles write `name=value`, path and header styles the value. */
export const STYLES = {
  simple,
  label,
  matrix,
  deepObject,
  form: delimited(','),
  spaceDelimited: delimited('%20'),
  pipeDelimited: delimited('%7C'),
} as const satisfies Record<ParameterStyle, Styler>;
