import type { Operation } from '../../../spec/index.ts';
import type { Violation, TestContext } from '../../kit/context.ts';
import { mentions } from '../../../domain/items.ts';
import { walk } from '../../../domain/read-list.ts';
import { persists } from '../sequences/patience.ts';
import { makeSubject } from '../sequences/subject.ts';
import type { Family, Subject } from '../sequences/subject.ts';

/** Creations that are sent at once. */
const AT_ONCE = 6;

const LOST = 'a creation is lost';
const SEVERAL = 'one creation makes several';

/** When the lists are asked for, in milliseconds: the journal is written before a creation leaves. */
const LIST_AFTER_MS = [0, 3, 6, 10, 15, 25];

/** How often it is tried again whether a list lacks what is there: the first time it may just have been late. */
const LOOKS_AGAIN = 2;

/** Creates some at once while what is there is listed: each has an id of its own, is there once, and nothing else goes. */
export async function holdCreations(t: TestContext, family: Family): Promise<boolean> {
  const began = Date.now();
  const before = await makeSubject(t, family);
  const list = before.made.resource.list;
  if (list === undefined) return true;
  const already = await persists(t, () => listedOnce(t, [before]));
  if (already?.cause?.endsWith(SEVERAL) === true) t.report(already);
  if (already !== undefined) return already.cause?.endsWith(LOST) === true;
  const rounds = [await createWhileListing(t, family, before, list)];
  if (rounds[0]?.lacks !== undefined) {
    await new Promise((resolve) => {
      setTimeout(resolve, began + t.session.options.settleMs - Date.now());
    });
    do rounds.push(await createWhileListing(t, family, before, list));
    while (rounds.length <= LOOKS_AGAIN && rounds.at(-1)?.lacks === undefined);
  }
  const made = rounds.flatMap((each) => each.made);
  const lacks = rounds.slice(1).find((each) => each.lacks !== undefined)?.lacks;
  const violation = lacks ?? sharedId(made) ?? (await persists(t, () => listedOnce(t, [before, ...made])));
  if (violation !== undefined) t.report(violation);
  return violation === undefined;
}

interface Creations {
  readonly made: readonly Subject[];
  /** A list without what was there before. */
  readonly lacks: Violation | undefined;
}

async function createWhileListing(
  t: TestContext,
  family: Family,
  before: Subject,
  list: Operation,
): Promise<Creations> {
  const { forms } = before.made.resource.create;
  const search = list.parameters.find((each) => each.in === 'query' && /^search/i.test(each.name))?.name;
  const query = search === undefined ? {} : { query: { [search]: before.made.name } };
  const [made, ...lacks] = await Promise.all([
    Promise.all(Array.from({ length: AT_ONCE }, (_, at) => makeSubject(t, family, forms[at % forms.length]))),
    ...LIST_AFTER_MS.map(async (delay, at) => {
      await new Promise((resolve) => {
        setTimeout(resolve, delay);
      });
      const form = list.forms[at % list.forms.length];
      return lacking(
        before,
        await walk(t, list, {
          ...query,
          label: 'list while others are created',
          ...(form === undefined ? {} : { form }),
        }),
      );
    }),
  ]);
  return { made, lacks: lacks.find((each) => each !== undefined) };
}

function lacking(before: Subject, seen: Awaited<ReturnType<typeof walk>>): Violation | undefined {
  const last = seen?.pages.at(-1);
  if (seen === undefined || last === undefined || seen.ids.includes(before.id)) return undefined;
  return {
    check: 'overlap',
    cause: 'a list lacks what is there while others are created',
    message: `${last.operation} lacks what is there while others are created`,
    expected: `${before.made.name} in the list`,
    received: `${seen.ids.length} others`,
    exchanges: [before.made.created, last],
  };
}

function sharedId(made: readonly Subject[]): Violation | undefined {
  const twin = made.find((each, at) => made.findIndex((other) => other.id === each.id) < at);
  const first = made.find((each) => each.id === twin?.id);
  if (twin === undefined || first === undefined) return undefined;
  const { create } = twin.made.resource;
  return {
    check: 'overlap',
    operation: create,
    cause: 'two creations at once, one id',
    message: `${create.id}: two creations at once are answered with one id`,
    expected: 'a new id for each creation',
    received: twin.id,
    exchanges: [first.made.created, twin.made.created],
  };
}

async function listedOnce(t: TestContext, made: readonly Subject[]): Promise<Violation | undefined> {
  const list = made[0]?.made.resource.list;
  const seen = list === undefined ? undefined : await walk(t, list, { label: 'list what was created' });
  const last = seen?.pages.at(-1);
  if (seen === undefined || last === undefined) return undefined;
  for (const {
    made: { name, resource, created },
    known,
  } of made) {
    const count = seen.items.filter((item) => mentions(item, `${name}-${known.content}`)).length;
    if (count === 1) continue;
    const cause = count === 0 ? LOST : SEVERAL;
    return {
      check: 'overlap',
      operation: resource.create,
      cause: `creations at once: ${cause}`,
      message: `${resource.create.id}: of creations at once ${cause}`,
      expected: `${name} is listed once`,
      received: `it is listed ${count} times`,
      exchanges: [created, last],
    };
  }
  return undefined;
}
