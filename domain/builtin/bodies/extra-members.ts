import type { JsonObject } from '../../../spec/index.ts';
import type { ApiContext } from '../../context.ts';
import { itemsIn, memberOf } from '../../items.ts';
import { OPERATIONS, operationOf } from '../operations.ts';
import { emptyFilter, sampleDataSource } from './samples.ts';

type Members = Readonly<Record<string, JsonObject>>;

/** Sets of members for `ApiKnowledge.extraMembers`, by their description. */
export async function extraMembers(t: ApiContext, operationId: string, name: string): Promise<Members> {
  const description = longText(name);
  switch (operationId) {
    case OPERATIONS.createPolicy:
      return {
        lists: { rules: sampleRules(name, 2) },
        texts: { name: inManyScripts(''), description },
        'nested conditions': { condition: nestedFilter(DEPTH) },
        'values of a condition': { condition: filterWithValues() },
        'long lists': { rules: sampleRules(name, MANY) },
        'a long name': LONG_NAME,
      };
    case OPERATIONS.createJob:
      return {
        lists: { cronSchedule: '0 3 * * 1', ...(await skillMembers(t)) },
        'members of lists': { dataSources: [sampleDataSource(), sampleDataSource(OTHER_SOURCE)] },
        texts: { name: inManyScripts(''), description, prompt: inManyScripts(description), metadata: metadata(name) },
        'nested conditions': { dataSources: [sampleDataSource({ filterRule: nestedFilter(DEPTH) })] },
        'values of a condition': { dataSources: [sampleDataSource({ filterRule: filterWithValues() })] },
        zeros: { dataSources: [sampleDataSource({ sample: false, sampleSize: 0 })] },
        'a long name': LONG_NAME,
        ...(t.allows('costly') ? { flags: { enabled: true, enableCronSchedule: true, cronSchedule: LEAP_DAY } } : {}),
      };
    case OPERATIONS.createAgent:
      return {
        lists: {
          instructions: `Answer ${name}\nin two lines.`,
          metadata: { 'assay-tag': name, 'assay.team': 'data', 'assay empty': '' },
        },
        texts: { name: inManyScripts(''), description, instructions: description, metadata: metadata(name) },
        'a long name': LONG_NAME,
      };
    default:
      return {};
  }
}

/** Makes the name longer than 100 characters: longer than some database columns, and shorter than the usual limits. */
const LONG_NAME = { name: ` with a ${'very '.repeat(15)}long name` };

/** A data source with other values than the sample. */
const OTHER_SOURCE = { name: 'other records', sampleSize: 700, isReferenceData: true, tail: true };

/** Items of a long list. */
const MANY = 25;

/** Levels of nested conditions. */
const DEPTH = 4;

/** Due once in four years, so that the job is deleted before. */
const LEAP_DAY = '0 3 29 2 *';

function inManyScripts(text: string): string {
  return `${text} \u00E9\u0416\u65E5\u{1F48E} "Q" <b>&amp;'q'</b> %41\\n $$ $& $1`;
}

/** Longer than the usual limits of database columns, in many scripts. */
function longText(name: string): string {
  return `${inManyScripts(name)}; ${'safe to delete, '.repeat(20)}end`;
}

function metadata(name: string): JsonObject {
  return {
    'assay-tag': name,
    'assay-code': '007',
    'assay-due': DUE,
    'Assay-Mixed Case': inManyScripts(`Mixed ${name}`),
  };
}

/** A text that a reader of JSON may take as a time, and write in another format. */
const DUE = '2024-02-29T12:00:00Z';

/** The largest integer that every reader of JSON must keep (RFC 8259, section 6). */
const LARGEST = 9_007_199_254_740_991;

/** A time in another time zone. */
const DUE_ELSEWHERE = '2024-02-29T23:30:00-05:00';

/** A group of conditions with values of several types, one of them negative and two past 32 bits. */
function filterWithValues(): JsonObject {
  return {
    ...emptyFilter(),
    value: ['a', '007', '2024-02-29', true, 0.1, 1.23456, 1e-7, -7, 3_000_000_000, LARGEST, DUE, DUE_ELSEWHERE],
  };
}

/** Nested groups of conditions, two in the outermost. All of them are empty, so that the filter applies to everything. */
function nestedFilter(levels: number): JsonObject {
  const condition = levels % 2 === 0 ? 'AND' : 'OR';
  const inner = levels === 0 ? [] : [nestedFilter(levels - 1)];
  return { ...emptyFilter(), condition, rules: levels === DEPTH ? [...inner, emptyFilter()] : inner };
}

/** Rules in the reverse order of their names. */
function sampleRules(name: string, count: number): readonly JsonObject[] {
  return Array.from({ length: count }, (_, at) => sampleRule(`${name} rule ${count - at}`, at + 1));
}

/** A rule that applies to everything and does nothing; each second one is inactive. */
function sampleRule(name: string, order: number): JsonObject {
  return {
    name,
    description: `${name}; safe to delete.`,
    order,
    isActive: order % 2 === 1,
    conditions: emptyFilter(),
    actions: [],
  };
}

async function skillMembers(t: ApiContext): Promise<JsonObject> {
  const { response } = await t.send(operationOf(t, 'skills'), { label: 'list the skills' });
  const names = itemsIn({ response })?.map((skill) => memberOf(skill, 'name'));
  const known = names?.filter((each): each is string => typeof each === 'string') ?? [];
  return known.length === 0 ? {} : { allowedSkills: known.slice(0, 2) };
}
