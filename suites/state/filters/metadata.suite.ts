import { operationOf } from '../../../domain/builtin/operations.ts';
import type { OperationRole } from '../../../domain/builtin/operations.ts';
import type { CreateOptions, CreatedItem } from '../../../domain/create.ts';
import { ifSkipped } from '../../../domain/context.ts';
import { idOf, memberOf } from '../../../domain/items.ts';
import { itemsWithIds } from '../../../domain/read-list.ts';
import { defined } from '../../../spec/defined.ts';
import { isObject, isServed } from '../../../spec/index.ts';
import type { Form, Json, JsonObject, Operation, Violation } from '../../../spec/index.ts';
import type { Evaluation, TestContext } from '../../kit/context.ts';
import { openSession } from '../../kit/session.ts';
import { defineForRole } from '../define.ts';
import { findUnreadable, findUpdateLost } from '../lifecycle/read-back.ts';
import { findWrongSelection } from './selection.ts';
import type { ItemToFind, Selection } from './selection.ts';
import { freshAgent } from '../../../domain/builtin/agents.ts';
import { freshJob } from '../../../domain/builtin/jobs.ts';

const session = await openSession();

type Create = (
  t: TestContext,
  suffix: string,
  members: JsonObject,
  options?: Pick<CreateOptions, 'expect' | 'form'>,
) => Promise<CreatedItem>;

/** Letters that must be encoded in a query, and decoded once, or that separate values elsewhere. */
const ENCODED = '\u00E9\u65E5 &+=%41,;';

/** A key of other letters than those of the framework's own names, also in upper case, with a dot as in vocabulary keys. */
const OTHER_KEY = 'assay.Key \u00E9\u65E5';

/** Entries before the last one, by which an item must be found too. */
const EARLIER = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`assay-${index}`, 'earlier']));

/** A key that a parser of queries may take as an index; parsers take small numbers only. */
const NUMERIC_KEY = '7';

/** A value that is another one as a number. */
const CODE = '007';

const LISTS = [
  { role: 'agents', requirement: 'agents.metadata-filter', create: freshAgent, creation: 'createAgent' },
  { role: 'jobs', requirement: 'jobs.metadata-filter', create: freshJob, creation: 'createJob' },
] as const satisfies readonly {
  readonly role: string;
  readonly requirement: string;
  readonly create: Create;
  readonly creation: OperationRole;
}[];

for (const { role, requirement, create, creation } of LISTS) {
  defineForRole(session, role, {
    suite: 'state/filters/metadata',
    title: 'metadataFilter selects by every key',
    checks: ['filters', 'query-styles'],
    requirements: ['content.query-deep-object', requirement],
    effects: ['read', 'reversible'],
    run: async (t, { operation, form }) => {
      const items = await t.once(`metadata ${role}`, () =>
        createItems(t, operation, create, operationOf(t, creation).forms[0]),
      );
      await t.holds(async (t) => {
        const violation = await findWrong(t, operation, form, items, requirement);
        return violation && ((await findNotStored(t, form, items, violation)) ?? violation);
      });
    },
  });
}

interface Items {
  readonly both: CreatedItem;
  readonly colorOnly: CreatedItem;
  readonly sizeOnly: CreatedItem;
  /** An item whose value consists of other letters; undefined where it is refused. */
  readonly encoded: CreatedItem | undefined;
  /** An item with {@link EARLIER} and {@link OTHER_KEY}; undefined where it is refused. */
  readonly keyed: CreatedItem | undefined;
  /** An item with {@link NUMERIC_KEY}, and {@link CODE} as a value; undefined where it is refused. */
  readonly numbered: CreatedItem | undefined;
  /** An item without metadata; undefined where it is refused. */
  readonly bare: CreatedItem | undefined;
  /** An item whose value an update has changed from {@link FORMER} to {@link LATTER}; undefined where it is refused. */
  readonly updated: ItemToFind | undefined;
  /** A job whose value a patch has changed from {@link UNPATCHED} to {@link PATCHED}; undefined where it is refused. */
  readonly patched: ItemToFind | undefined;
  /** A deleted item, whose value was {@link GONE}; undefined where the deletion was refused. */
  readonly deleted: ItemToFind | undefined;
}

const FORMER = 'green';
const LATTER = 'yellow';
const UNPATCHED = 'white';
const PATCHED = 'grey';
const GONE = 'black';

/** Items whose metadata differ in one value. */
async function createItems(t: TestContext, list: Operation, create: Create, firstForm?: Form): Promise<Items> {
  const shaded = (color: string, size: string): JsonObject => ({
    metadata: { 'assay-shade': `${t.tag}-${color}`, 'assay-size': size },
  });
  const item = (color: string, size: string): Promise<CreatedItem> => create(t, 'marked', shaded(color, size));
  const unusual = (members: JsonObject): Promise<CreatedItem | undefined> =>
    create(t, 'marked', members, { expect: 'any' }).catch(ifSkipped);
  const inFirstForm = (): Promise<CreatedItem> =>
    create(t, 'marked', shaded('red', 'small'), firstForm === undefined ? {} : { form: firstForm });
  // Fills a cache of the deployment: the empty list afterwards is a violation.
  for (const form of list.forms)
    await t.send(list, { form, query: filterBy(`${t.tag}-red`), label: 'before there are such items' });
  return {
    both: await item('red', 'large'),
    // What was created through one form only may be missing in a filter.
    colorOnly: (await inFirstForm().catch(ifSkipped)) ?? (await item('red', 'small')),
    sizeOnly: await item('blue', 'large'),
    encoded: await unusual(shaded(ENCODED, 'large')),
    keyed: await unusual({ metadata: { ...EARLIER, [OTHER_KEY]: t.tag } }),
    numbered: await unusual({ metadata: { [NUMERIC_KEY]: t.tag, 'assay-code': CODE } }),
    bare: await unusual({ metadata: null }),
    updated: await update(t, await item(FORMER, 'medium'), shaded(LATTER, 'medium')),
    patched: await patch(t, await item(UNPATCHED, 'medium'), `${t.tag}-${PATCHED}`),
    deleted: await remove(t, await item(GONE, 'medium')),
  };
}

function filterBy(shade: string): { readonly metadataFilter: JsonObject } {
  return { metadataFilter: { 'assay-shade': shade } };
}

async function remove(t: TestContext, item: CreatedItem): Promise<ItemToFind | undefined> {
  const moved = await t.send(item.resource.remove, { path: item.path, label: 'delete the item' });
  return isServed(moved) ? { ...item, moved } : undefined;
}

async function update(t: TestContext, item: CreatedItem, members: JsonObject): Promise<ItemToFind | undefined> {
  const { resource, path, sent } = item;
  if (resource.replace === undefined || !isObject(sent)) return undefined;
  const json = { ...sent, ...members };
  const moved = await t.send(resource.replace, { path, json, label: 'update the metadata' });
  return isServed(moved) ? { ...item, sent: json, moved } : undefined;
}

/** Where the item that a selection lacks is not stored as it was sent, the filter is not to blame. */
async function findNotStored(
  t: TestContext,
  form: Form,
  { patched: _patched, deleted: _deleted, ...items }: Items,
  { exchanges: [first], requirement }: Violation,
): Evaluation {
  const item = Object.values(items).find((each: ItemToFind | undefined) => each?.created === first);
  if (item === undefined) return undefined;
  const { sent, moved } = item as ItemToFind;
  const lost = await (moved === undefined
    ? findUnreadable(t, item, form)
    : findUpdateLost(t, item, form, { sent, changed: moved }));
  return lost && { ...lost, ...defined({ requirement }) };
}

/** Replaces the value of an item by a patch, whose response shows it. */
async function patch(t: TestContext, item: CreatedItem, value: string): Promise<ItemToFind | undefined> {
  const { resource, path } = item;
  if (resource.patch === undefined) return undefined;
  const json = [{ op: 'replace', path: '/metadata/assay-shade', value }];
  const moved = await t.send(resource.patch, { path, json, label: 'patch the metadata' });
  const shown = memberOf(moved.response?.json, 'metadata');
  return isServed(moved) && memberOf(shown, 'assay-shade') === value ? { ...item, moved } : undefined;
}

/** An item matches some keys: the others are ignored, or one is enough, which is not documented otherwise. */
function ofSomeKeys({ id }: Operation, isEither: boolean) {
  return {
    code: 'query-styles/deep-object',
    message: `${id}: an item is listed that does not match every key of a deepObject parameter (metadataFilter)`,
    grade: isEither ? 'inferred' : undefined,
  } as const;
}

const UNREADABLE = 'the list cannot be read';

async function findWrong(
  t: TestContext,
  operation: Operation,
  form: Form,
  { both, colorOnly, sizeOnly, encoded, keyed, numbered, bare, updated, patched, deleted }: Items,
  requirement: string,
): Evaluation {
  const select = async (metadataFilter: Json, accept?: string): Promise<Selection> => {
    const label = `metadataFilter ${JSON.stringify(metadataFilter)}`;
    const exchange = await t.send(operation, { form, query: { metadataFilter }, label, ...defined({ accept }) });
    const { idName } = both.resource;
    const items = itemsWithIds(exchange, operation, idName);
    if (items === undefined && isServed(exchange) && accept === undefined) t.skip(UNREADABLE);
    return { ids: new Set(items?.flatMap((item) => idOf(item, idName) ?? [])), pages: [exchange] };
  };
  const red = `${t.tag}-red`;
  const given = (item: ItemToFind | undefined): readonly ItemToFind[] => (item === undefined ? [] : [item]);
  const oneKey = await select({ 'assay-shade': red });
  // Of the other filters, a firewall may refuse some: those are not judged.
  if (!oneKey.pages.every(isServed)) t.skip(UNREADABLE);
  const asText = await select({ 'assay-shade': red }, 'text/plain');
  const twoKeys = await select({ 'assay-shade': red, 'assay-size': 'large' });
  const manyKeys = await select({ ...EARLIER, [`${t.tag}-unused`]: 'red' });
  const others = await select({ 'assay-shade': `${t.tag}-${ENCODED}` });
  const otherKey = keyed === undefined ? undefined : await select({ [OTHER_KEY]: t.tag });
  const numericKey = await select({ [NUMERIC_KEY]: t.tag });
  const code = await select({ 'assay-code': CODE });
  const underOther = await select({ 'assay-size': red });
  const unused = await select({ 'assay-shade': `${red}-unused` });
  const unusedKey = await select({ [`${t.tag}-unused`]: 'red' });
  // What stands for any letter in a database.
  const pattern = await select({ 'assay-shade': red.replaceAll('-', '_') });
  const beginning = await select({ 'assay-shade': red.slice(0, -1) });
  const former = await select({ 'assay-shade': `${t.tag}-${FORMER}` });
  const latter = await select({ 'assay-shade': `${t.tag}-${LATTER}` });
  const unpatched = await select({ 'assay-shade': `${t.tag}-${UNPATCHED}` });
  const nowPatched = await select({ 'assay-shade': `${t.tag}-${PATCHED}` });
  const gone = await select({ 'assay-shade': `${t.tag}-${GONE}` });
  const about = { subject: 'metadataFilter', requirement };
  const isEither = [colorOnly, sizeOnly].every(({ id }) => twoKeys.ids.has(id.toLowerCase()));
  return (
    findWrongSelection(operation, about, [
      [oneKey, [both, colorOnly], true],
      [oneKey, [sizeOnly, ...given(bare)], false],
      [asText, [sizeOnly, ...given(bare)], false],
      [latter, given(updated), true],
      [former, given(updated), false],
      [nowPatched, given(patched), true],
      [unpatched, given(patched), false],
      [gone, given(deleted), false],
      [others, given(encoded), true],
      [others, [both, colorOnly, sizeOnly], false],
      [numericKey, given(numbered), true],
      [numericKey, [both, colorOnly, sizeOnly], false],
      [code, given(numbered), true],
      [underOther, [both, colorOnly], false],
      [pattern, [both, colorOnly], false],
      ...(keyed === undefined || otherKey === undefined
        ? []
        : ([
            [otherKey, [keyed], true],
            [otherKey, [both, colorOnly, sizeOnly], false],
          ] as const)),
    ]) ??
    findWrongSelection(operation, { ...about, code: 'query-styles/deep-object' }, [[twoKeys, [both], true]]) ??
    findWrongSelection(operation, { ...about, ...ofSomeKeys(operation, isEither) }, [
      [twoKeys, [colorOnly, sizeOnly], false],
      [manyKeys, given(keyed), false],
    ]) ??
    findWrongSelection(operation, about, [
      [unused, [both, colorOnly, sizeOnly], false],
      [unusedKey, [both, colorOnly, sizeOnly], false],
    ]) ??
    // Whether values must be equal is not documented.
    findWrongSelection(operation, { ...about, grade: 'inferred' }, [[beginning, [both, colorOnly], false]])
  );
}
