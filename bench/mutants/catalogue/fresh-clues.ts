import { asList, asObject } from '../kit.ts';
import type { JsonMap } from '../kit.ts';
import type { Mutant } from '../types.ts';
import { hash, refuses, str, trips } from './fresh-kit.ts';

const CLUE = ['POST /clue'] as const;
const RAW = ['POST /admin/entity/ProcessClue'] as const;
const clueOf = (body: JsonMap): JsonMap => asObject(body['clue']);
const dataOf = (body: JsonMap): JsonMap => asObject(asObject(clueOf(body)['clueDetails'])['data']);
const entityOf = (body: JsonMap): JsonMap => asObject(dataOf(body)['entityData']);
const origins = (body: JsonMap): readonly string[] =>
  [clueOf(body), dataOf(body), entityOf(body)].map((part) => str(part['attribute-origin']));
const versions = (body: JsonMap): readonly string[] =>
  [clueOf(body), dataOf(body), entityOf(body)].map((part) => str(part['attribute-appVersion']));
const codes = (body: JsonMap): readonly string[] => asList(entityOf(body)['codes']).map(str);
const bag = (body: JsonMap): readonly (readonly [string, unknown])[] =>
  Object.entries(asObject(entityOf(body)['properties']))
    .filter(([key]) => key !== 'attribute-type')
    .map(([key, value]) => [key.replace(/^property-/, ''), value] as const);
const idOf = (origin: string): string => origin.slice(origin.indexOf(':') + 1);

const CLUES: readonly Mutant[] = [
  trips('clue-id-with-separator-500', CLUE, (body) =>
    origins(body).some((origin) => origin.includes('#') && /[:#]/.test(idOf(origin))),
  ),
  trips('clue-origins-differ-500', CLUE, (body) => new Set(origins(body).filter((origin) => origin !== '')).size > 1),
  trips('clue-version-part-over-65535-500', CLUE, (body) =>
    versions(body).some((version) => version.split('.').some((part) => Number(part) > 65_535)),
  ),
  refuses('clue-version-of-five-parts-400', 'an application version is dotted numeric (section 2)', CLUE, (body) =>
    versions(body).some((version) => /^\d+(?:\.\d+){4,}$/.test(version)),
  ),
  trips(
    'clue-codes-without-own-500',
    CLUE,
    (body) => codes(body).length > 0 && !codes(body).includes(str(entityOf(body)['attribute-origin'])),
  ),
  trips(
    'clue-codes-of-one-source-500',
    CLUE,
    (body) => new Set(codes(body)).size > new Set(codes(body).map((code) => code.slice(0, code.indexOf(':')))).size,
  ),
  trips('clue-key-not-ascii-or-spaced-500', CLUE, (body) => bag(body).some(([key]) => /[^\u0021-\u007e]/.test(key))),
  trips('clue-key-not-a-word-500', CLUE, (body) => bag(body).some(([key]) => /[-+@$/~]|\.\d|^\d/.test(key))),
  trips('clue-value-blank-500', CLUE, (body) =>
    bag(body).some(([, value]) => typeof value === 'string' && value !== '' && value.trim() === ''),
  ),
  trips('clue-exactly-32-properties-500', CLUE, (body) => bag(body).length === 32 || bag(body).length === 64),
  trips('clue-of-hash-500', CLUE, (body) => origins(body)[0] !== '' && hash(origins(body)[0] ?? '') % 32 === 5),
];

const inside = (value: unknown): readonly unknown[] =>
  typeof value === 'object' && value !== null ? [value, ...Object.values(value).flatMap(inside)] : [value];
const some =
  (test: (value: unknown) => boolean) =>
  (body: JsonMap): boolean =>
    Object.values(body).flatMap(inside).some(test);
const kinds = (list: readonly unknown[]): number =>
  new Set(list.map((item) => (item === null ? 'null' : Array.isArray(item) ? 'list' : typeof item))).size;

const RAWS: readonly Mutant[] = [
  trips(
    'raw-mixed-list-500',
    RAW,
    some((value) => Array.isArray(value) && kinds(value as unknown[]) > 1),
  ),
  trips(
    'raw-empty-object-inside-500',
    RAW,
    some(
      (value) =>
        typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0,
    ),
  ),
  trips(
    'raw-number-beyond-int32-500',
    RAW,
    some((value) => typeof value === 'number' && Number.isInteger(value) && Math.abs(value) >= 2 ** 31),
  ),
  trips('raw-name-not-ascii-500', RAW, (body) =>
    /[^\u0020-\u007e]/.test(
      [body, ...Object.values(body).flatMap(inside)]
        .flatMap((part) => (typeof part === 'object' && part !== null && !Array.isArray(part) ? Object.keys(part) : []))
        .join(''),
    ),
  ),
];

export const FRESH_CLUES = [...CLUES, ...RAWS] as const satisfies readonly Mutant[];
