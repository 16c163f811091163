import type { FormatDefinition } from 'ajv';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const DAY = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const CLOCK = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)([.,]\d+)?(Z|[+-]\d\d(:?\d\d)?)?$/i;

const AMOUNT = String.raw`[+-]?\d+(?:[.,]\d+)?`;

/** As libraries write it: with signs, fractions, and weeks beside other units. */
const DURATION = new RegExp(
  `^[+-]?P(?=.)(?:${AMOUNT}Y)?(?:${AMOUNT}M)?(?:${AMOUNT}W)?(?:${AMOUNT}D)?` +
    `(?:T(?=.)(?:${AMOUNT}H)?(?:${AMOUNT}M)?(?:${AMOUNT}S)?)?$`,
);

function isDateTime(text: string): boolean {
  return DAY.test(text.slice(0, 10)) && /^[Tt ]$/.test(text.slice(10, 11)) && CLOCK.test(text.slice(11));
}

function within(bits: number): (value: number) => boolean {
  const limit = 2 ** (bits - 1);
  return (value) => Number.isInteger(value) && value >= -limit && (bits > 53 ? value <= limit : value < limit);
}

const ATOM = /[\w!#$%&'*+/=?^`{|}~-]+/.source;
const LABEL = /[a-z\d](?:[a-z\d-]*[a-z\d])?/.source;

/** As in RFC 5321: also a quoted name, a host without a dot and an address in brackets. */
const EMAIL = new RegExp(
  String.raw`^(?:${ATOM}(?:\.${ATOM})*|"(?:[^"\\]|\\.)+")@(?:${LABEL}(?:\.${LABEL})*|\[[\da-f:.ipv]+\])$`,
  'i',
);

const ABSOLUTE = /^[a-z][a-z\d+.-]*:[^\s<>"{}|\\^`]*$/i;

const URI: FormatDefinition<string> = { type: 'string', validate: (text: string) => ABSOLUTE.test(text) };

/**
 * Formats in which deployments legitimately differ from the standard: uuids in either case, times with a space or without an offset,
 * durations with signs and fractions, integers beyond 2^53, URLs of hosts without a dot.
 */
export const STRING_FORMATS: Readonly<Record<string, FormatDefinition<string> | FormatDefinition<number>>> = {
  uuid: { type: 'string', validate: (text: string) => UUID.test(text) },
  guid: { type: 'string', validate: (text: string) => UUID.test(text) },
  'date-time': { type: 'string', validate: isDateTime },
  time: { type: 'string', validate: (text: string) => CLOCK.test(text) },
  duration: { type: 'string', validate: (text: string) => DURATION.test(text) },
  email: { type: 'string', validate: (text: string) => EMAIL.test(text) },
  uri: URI,
  url: URI,
  int8: { type: 'number', validate: within(8) },
  int16: { type: 'number', validate: within(16) },
  int32: { type: 'number', validate: within(32) },
  int64: { type: 'number', validate: within(64) },
};
