import { encodeAll, encodeReserved, plainText } from './encode.ts';
import { STYLES } from './styles.ts';
import type { Parameter } from '../contract.ts';
import type { Json } from '../json.ts';

/** The properties of a parameter that determine its serialisation. */
export type SerialisedParameter = Pick<Parameter, 'name' | 'in' | 'style' | 'explode' | 'allowReserved' | 'mediaType'>;

function encoderOf(parameter: SerialisedParameter): (text: string) => string {
  if (parameter.in === 'header') return (text) => text;
  return parameter.in === 'query' && parameter.allowReserved ? encodeReserved : encodeAll;
}

function mediaText(mediaType: string, value: Json): string {
  return /[/+]json\b/.test(mediaType) ? JSON.stringify(value) : plainText(value);
}

/** A path segment, the `name=value` pairs of a query joined by `&` (maybe none), a header value, or the `name=value` of a cookie. */
export function serialiseParameter(parameter: SerialisedParameter, value: Json): string {
  const encode = encoderOf(parameter);
  if (parameter.mediaType !== undefined) {
    const text = encode(mediaText(parameter.mediaType, value));
    return parameter.in === 'query' || parameter.in === 'cookie' ? `${encode(parameter.name)}=${text}` : text;
  }
  const text = STYLES[parameter.style]({ name: parameter.name, explode: parameter.explode, encode }, value);
  return parameter.in === 'cookie' ? text.replaceAll('&', '; ') : text;
}

/** The serialisation of a parameter that the description does not declare. */
export function undeclared(name: string, place: 'path' | 'query'): SerialisedParameter {
  return {
    name,
    in: place,
    style: place === 'path' ? 'simple' : 'form',
    explode: place === 'query',
    allowReserved: false,
  };
}
