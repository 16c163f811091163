import type { Format } from './format.ts';
import { byte, jsonPointer, regex, relativeJsonPointer, uuid } from './identifiers.ts';
import { email, hostname, ipv4, ipv6, uri, uriReference, uriTemplate, url } from './network.ts';
import { date, dateTime, duration, time } from './times.ts';

/** Formats with a fixed syntax. Others (`password`, `binary`, unknown ones) allow any text. */
const FORMATS = {
  byte,
  date,
  'date-time': dateTime,
  duration,
  email,
  guid: uuid,
  hostname,
  'idn-email': email,
  'idn-hostname': hostname,
  ipv4,
  ipv6,
  iri: uri,
  'iri-reference': uriReference,
  'json-pointer': jsonPointer,
  'json-pointer-uri-fragment': {
    simplest: '#',
    samples: ['#', '#/a', '#/a~1b'],
    generate: (random) => `#/a/${random.int(0, 9)}`,
  },
  regex,
  'relative-json-pointer': relativeJsonPointer,
  time,
  uri,
  'uri-reference': uriReference,
  'uri-template': uriTemplate,
  url,
  uuid,
} satisfies Record<string, Format>;

/** The generator of a format; undefined for one without a fixed syntax. */
export function formatNamed(name: string): Format | undefined {
  const known: Readonly<Record<string, Format>> = FORMATS;
  return Object.hasOwn(known, name) ? known[name] : undefined;
}
