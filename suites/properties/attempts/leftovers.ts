import type { Exchange, Json } from '../../../spec/index.ts';
import { idOf } from '../../../domain/items.ts';
import type { Resource } from '../../../domain/resources.ts';
import type { TestContext } from '../../kit/context.ts';
import { walk } from '../../../domain/read-list.ts';
import type { Case } from '../hunt/case.ts';
import { sendCase } from './stage.ts';
import type { Stage } from './stage.ts';

/** How many refused creations are looked for at once (of them few that are no JSON), and how often that must show the same. */
const MOST = 15;
const MOST_MALFORMED = 3;
const ROUNDS = 3;

/**
 * Sends creations that are refused and looks for items that came meanwhile and are nobody's: not this run's, whose ids and
 * names are known, and not made at the pace of others, which a look without any request tells.
 */
export async function refusedCreations(
  t: TestContext,
  resource: Resource,
  cases: Iterable<Case>,
  stage: Stage,
): Promise<void> {
  const refused: Case[] = [];
  for (const value of cases) {
    if (refused.length === MOST) break;
    if (value.rawBody !== undefined && refused.length >= MOST_MALFORMED) continue;
    const status = (await sendCase(t, resource.create, value, stage)).response?.status ?? 0;
    t.countCases(1);
    if (status >= 400 && status < 500) refused.push(value);
  }
  if (refused.length === 0) t.skip('the deployment refuses none of the invalid requests');
  let shown: Came | undefined;
  for (let round = 0; round < ROUNDS; round += 1) {
    const came = await strangers(t, resource, async () => {
      let last: Exchange | undefined;
      for (const value of refused) last = await sendCase(t, resource.create, value, stage);
      return last;
    });
    const idle = await strangers(t, resource, () => pause(came.tookMs));
    if (came.items.length === 0 || idle.items.length > 0) return;
    shown = came;
  }
  const { exchange, list, items } = shown ?? {};
  if (exchange === undefined || list === undefined || items === undefined) return;
  t.report({
    check: 'refused-changes-nothing',
    requirement: 'errors.validation',
    operation: resource.create,
    cause: 'stored though refused',
    message: `${resource.create.id} refuses a request and stores it all the same`,
    expected: 'nothing new in the list',
    received: JSON.stringify(items[0]).slice(0, 200),
    exchanges: [exchange, list],
  });
}

interface Came {
  readonly items: readonly Json[];
  readonly tookMs: number;
  readonly exchange?: Exchange;
  readonly list?: Exchange;
}

async function strangers(t: TestContext, resource: Resource, act: () => Promise<Exchange | undefined>): Promise<Came> {
  const { list } = resource;
  if (list === undefined) return { items: [], tookMs: 0 };
  const before = await walk(t, list, { label: 'list what is there' });
  const began = Date.now();
  const exchange = await act();
  const tookMs = Date.now() - began;
  const after = await walk(t, list, { label: 'list what is there now' });
  await pause(20);
  const known = new Set(before?.ids ?? []);
  const items = (after?.items ?? []).filter((item) => !known.has(idOf(item) ?? '') && !isOwn(t, item));
  const last = after?.pages.at(-1);
  return {
    items,
    tookMs,
    ...(exchange === undefined ? {} : { exchange }),
    ...(last === undefined ? {} : { list: last }),
  };
}

/** True for what this run was told to have made; nothing else of it is under way meanwhile. */
function isOwn(t: TestContext, item: Json): boolean {
  const id = idOf(item);
  return id === undefined || t.session.made.has(id);
}

async function pause(ms: number): Promise<undefined> {
  await new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
  return undefined;
}
