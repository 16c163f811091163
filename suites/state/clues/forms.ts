import { onAllLevels, PLAIN } from './shapes.ts';
import type { ClueChange, CLUES, ClueMembers } from './shapes.ts';

/** Ids in origin codes: the document limits neither their characters nor their length. */
const IDS: Readonly<Record<string, string>> = {
  'one character': '7',
  'leading zeros': '0007',
  'a number past 53 bits': '9007199254740993',
  slashes: 'eu/fr/17',
  'a number sign': 'a#b',
  'a question mark and an ampersand': 'a?b=1&c',
  'a percent sign': '100%41',
  plus: 'a+b',
  'an e-mail address': 'ada@example.org',
  spaces: 'Ada  Example',
  quotes: `O'Neil "A"`,
  'a backslash': String.raw`eu\17`,
  markup: '<b>&amp;</b>',
  braces: '{17}[0]',
  'accented letters': '\u00C5re \u00FC',
  'a combining accent': 'e\u0301',
  'other scripts': '\u6771\u4EAC \u041C\u0438\u0440',
  'an emoji': '\u{1F48E}',
  'capital letters': 'ABC',
  'a word for nothing': 'null',
  ...Object.fromEntries(
    [63, 64, 100, 127, 128, 255, 256, 257].map((length) => [`${length} characters`, 'a'.repeat(length)]),
  ),
};

/** Sources in origin codes of the form `/<EntityType>#<source>:<id>`. */
const SOURCES: Readonly<Record<string, string>> = {
  'a hyphen': 'assay-crm',
  'an underscore and digits': 'assay_crm_2',
  'a dot': 'assay.crm',
  'capital letters': 'AssayCRM',
};

/** Entity types of the form `/<EntityType>`. */
const ENTITY_TYPES: Readonly<Record<string, string>> = {
  'one letter': '/X',
  'in lower case': '/person',
  'with digits': '/Person2',
  'in three parts': '/Assay/Sales/Order',
  'with an accented letter': '/Caf\u00E9',
  'of 64 letters': `/${'P'.repeat(64)}`,
  'of 128 letters': `/${'P'.repeat(128)}`,
};

/** Characters and lengths inside of the documented forms of origin codes, codes, sources and entity types. */
export const CLUE_FORMS: typeof CLUES = {
  [PLAIN]: ['clue.post', () => undefined],
  ...Object.fromEntries(
    Object.entries(IDS).flatMap(([label, id]) => [
      [
        `origin id: ${label}`,
        ['clue.origin-code', onAllLevels('attribute-origin', (name) => `/Person#assay:${name}${id}`)],
      ],
      [
        `code: ${label}`,
        [
          'clue.codes',
          (entity: ClueMembers, name: string) => {
            entity['codes'] = [`/Person#assay:${name}`, `/Person#assay2:${id}`];
          },
        ],
      ],
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(SOURCES).map(([label, source]) => [
      `source: ${label}`,
      ['clue.origin-code', onAllLevels('attribute-origin', (name) => `/Person#${source}:${name}`)],
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(ENTITY_TYPES).map(([label, type]) => [`entity type ${label}`, ['clue.entity-type', ofType(type)]]),
  ),
};

/** The entity type, in its own member and in the codes. */
function ofType(type: string): ClueChange {
  return (entity, name, levels) => {
    const origin = `${type}#assay:${name}`;
    for (const level of levels) level['attribute-origin'] = origin;
    entity['entityType'] = type;
    entity['codes'] = [origin];
  };
}
