import { memberOf } from '../../domain/items.ts';
import { readPage } from '../../domain/list-fixture.ts';
import type { ListFixture } from '../../domain/list-fixture.ts';
import type { Resource } from '../../domain/resources.ts';
import { isObject, isServed, listIn, parsedJson } from '../../spec/index.ts';
import type { Exchange, JsonObject, Violation } from '../../spec/index.ts';
import type { Evaluation, TestContext } from '../kit/context.ts';
import { bodyFormats } from '../kit/formats.ts';
import { firstMismatch } from '../kit/read-back.ts';
import { violationOf } from '../kit/violation.ts';

/** So many items must show a member as it was sent for each one that does not: a list may leave out a member of all, or shorten it. */
const MOST = 3;

/** A new item as it was sent, and as its list shows it. */
interface Listed {
  readonly created: Exchange;
  readonly sent: JsonObject;
  readonly shown: JsonObject;
}

/** A new item that its list shows with another value of a member than was sent, although it shows most items as they were sent. */
export function findOddMember(
  t: TestContext,
  resource: Resource,
  creations: readonly Exchange[],
  page: Exchange,
): Violation | undefined {
  const { create, list } = resource;
  if (list === undefined) return undefined;
  const items = listIn(page.response?.json)?.items ?? [];
  const listed = creations.flatMap((created): readonly Listed[] => {
    const sent = parsedJson(created.request.body ?? '');
    const shown = items.find((each) => memberOf(each, 'name') === memberOf(sent, 'name'));
    return isServed(created) && isObject(sent) && isObject(shown) ? [{ created, sent, shown }] : [];
  });
  for (const name of new Set(listed.flatMap(({ sent }) => Object.keys(sent)))) {
    const given = listed.filter(({ sent }) => (sent[name] ?? null) !== null);
    const odd = given.flatMap((each) => {
      const { [name]: sent = null } = each.sent;
      const found = firstMismatch(
        { [name]: sent },
        { [name]: null, ...each.shown },
        t.knowledge.members,
        bodyFormats(t.contract, create),
      );
      return found === undefined || found.grade !== undefined ? [] : [{ ...each, found }];
    });
    const [first] = odd;
    const others = given.length - odd.length;
    if (first === undefined || others < MOST * odd.length) continue;
    return violationOf('created-reads-back/listed-member', list, {
      subject: name,
      message: `${list.id} shows a new item with another value than was sent (${name})`,
      requirement: t.knowledge.lifecycleRequirements(resource).listed,
      expected: `${first.found.expected}; the list shows ${others} other new items as they were sent`,
      received: first.found.received,
      exchanges: [first.created, page],
    });
  }
  return undefined;
}

/** An item of a fixture that its list shows otherwise than it was sent: see {@link findOddMember}. */
export async function findShownOtherwise(t: TestContext, fixture: ListFixture): Evaluation {
  const resource = t.knowledge.resources.find(({ list }) => list === fixture.operation);
  const { filledBy = [], isolated, ids } = fixture;
  if (resource === undefined || !isolated || !t.knowledge.guarantees('storage', resource.create)) return undefined;
  return findOddMember(t, resource, filledBy, (await readPage(t, fixture, 0, ids.size)).exchange);
}
