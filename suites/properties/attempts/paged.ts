import type { CheckName, Exchange, Json, Operation } from '../../../spec/index.ts';
import type { ListFixture } from '../../../domain/list-fixture.ts';
import type { RequestSpec, TestContext } from '../../kit/context.ts';
import { walk } from '../../../domain/read-list.ts';
import type { Walk } from '../../../domain/read-list.ts';
import type { Case } from '../hunt/case.ts';
import { exchangeFlaws, keyOf } from '../hunt/flaw.ts';
import type { Flaw } from '../hunt/flaw.ts';
import { toldOf } from '../hunt/memory.ts';

/** A page that holds all of a list. */
const WHOLE = 100;

type Query = Readonly<Record<string, Json>>;

/** Walks a list by pages of the case's size and compares with the list in one page. */
export async function tryPages(t: TestContext, fixture: ListFixture, value: Case): Promise<readonly Flaw[]> {
  const { size, rest } = split(value.request.query);
  const whole = await look(t, fixture, rest, WHOLE);
  const paged = await look(t, fixture, rest, size);
  const untold = [...whole.flaws, ...paged.flaws];
  if (untold.length > 0 || [whole, paged].some((each) => each.none)) return unheard(t, untold);
  const exchanges = [...whole.pages.slice(0, 1), ...paged.pages];
  const tell = (kind: string, expected: string, received: string): readonly Flaw[] => [
    flaw(fixture.operation, 'paging-partition', 'paging.partition', { kind, expected, received, exchanges }),
  ];
  const out = [...fixture.ids].filter((id) => !whole.ids.includes(id));
  if (out.length > 0 && whole.ids.length < WHOLE)
    return tell(
      'items that an order leaves out',
      `${fixture.ids.size} items, whatever their order`,
      `${whole.ids.length} items, ${out[0] ?? ''} not among them`,
    );
  const twice = paged.ids.filter((id, index) => paged.ids.indexOf(id) !== index);
  if (twice.length > 0)
    return tell('an item on two pages', 'each item once', `${twice[0] ?? ''} more than once in pages of ${size}`);
  const lost = whole.ids.filter((id) => !paged.ids.includes(id));
  if (lost.length > 0)
    return tell(
      'items lost between pages',
      `${whole.ids.length} items, as in one page`,
      `${paged.ids.length} in pages of ${size}`,
    );
  const more = paged.ids.filter((id) => !whole.ids.includes(id));
  if (more.length > 0)
    return tell(
      'items on no single page',
      `${whole.ids.length} items, as in one page`,
      `${paged.ids.length} in pages of ${size}`,
    );
  const ordered = rest['orderBy'] !== undefined && whole.ids.some((id, index) => paged.ids[index] !== id);
  return ordered
    ? tell('another order over pages', 'the order of the list in one page', `another in pages of ${size}`)
    : [];
}

/** A flag that filters: what it selects and what it leaves out are all there is, and have nothing in common. */
export async function tryHalves(
  t: TestContext,
  fixture: ListFixture,
  value: Case,
  flag: string,
  requirement: string,
): Promise<readonly Flaw[]> {
  const { size, rest } = split(value.request.query);
  const all = await look(t, fixture, rest, WHOLE);
  const yes = await look(t, fixture, { ...rest, [flag]: true }, size);
  const no = await look(t, fixture, { ...rest, [flag]: false }, size);
  const untold = [...all.flaws, ...yes.flaws, ...no.flaws];
  if (untold.length > 0 || [all, yes, no].some((each) => each.none)) return unheard(t, untold);
  const exchanges = [all, yes, no].flatMap((each) => each.pages.slice(0, 1));
  const both = yes.ids.filter((id) => no.ids.includes(id));
  const none = all.ids.filter((id) => !yes.ids.includes(id) && !no.ids.includes(id));
  if (both.length === 0 && none.length === 0) return [];
  const kind =
    both.length > 0 ? `items that are of ${flag} true and false` : `items that are neither of ${flag} true nor false`;
  return [
    flaw(fixture.operation, 'filters', requirement, {
      kind,
      expected: 'each item in one half',
      received: both[0] ?? none[0] ?? '',
      exchanges,
    }),
  ];
}

function split(query: Query): { size: number; rest: Query } {
  const { take, pageSize, ...rest } = query;
  const given = take ?? pageSize;
  return { size: typeof given === 'number' ? given : WHOLE, rest };
}

interface Look extends Walk {
  /** What is wrong with single pages. */
  readonly flaws: readonly Flaw[];
  /** True where an answer held no list. */
  readonly none: boolean;
}

async function look(t: TestContext, fixture: ListFixture, query: Query, size: number): Promise<Look> {
  const flaws: Flaw[] = [];
  const send = async (operation: Operation, ask?: RequestSpec): Promise<Exchange> => {
    const exchange = await t.sendQuietly(operation, ask);
    flaws.push(...exchangeFlaws(t.session, operation, exchange));
    return exchange;
  };
  const seen = await walk(
    { ...t, send },
    fixture.operation,
    { ...fixture.request, query: { ...fixture.request.query, ...query }, label: `pages of ${size}` },
    size,
  );
  return { ...(seen ?? { pages: [], items: [], ids: [] }), flaws, none: seen === undefined };
}

/** What no property has told of the operation yet: those of parameters tell it by fewer of them. */
function unheard(t: TestContext, flaws: readonly Flaw[]): readonly Flaw[] {
  return flaws.filter((each) => toldOf(t.session, keyOf(each)).length === 0).slice(0, 1);
}

function flaw(
  operation: Operation,
  check: CheckName,
  requirement: string,
  parts: Pick<Flaw, 'kind' | 'expected' | 'received' | 'exchanges'>,
): Flaw {
  return { check, operation, requirement, ...parts, message: `${operation.id}: ${parts.kind}`, final: false };
}
