import { idsOf } from '../../../domain/items.ts';
import type { TestContext } from '../../kit/context.ts';
import { walk } from '../../../domain/read-list.ts';
import type { Real } from './real.ts';
import { stateMember } from './state-member.ts';
import { makeSubject } from './subject.ts';
import type { Family, Subject } from './subject.ts';
import { settled } from '../../../domain/context.ts';
import { operationOf } from '../../../domain/builtin/operations.ts';

/** What all sequences of a family share. */
export async function prepare(t: TestContext, family: Family): Promise<Pick<Real, 'search' | 'told' | 'make'>> {
  if (family !== 'createPolicy') return { search: {}, told: undefined, make: () => makeSubject(t, family) };
  const told = await stateMember(t);
  const search = await searchFor(t);
  return { told, search, make: async () => withState(t, await makeSubject(t, family), search) };
}

/** A search that finds just what sequences made, where the list is narrowed by it; else none. */
function searchFor(t: TestContext): Promise<Real['search']> {
  return t.session.once('search-for-sequences', async () => {
    const { id } = await makeSubject(t, 'createPolicy');
    const operation = operationOf(t.session, 'policies');
    const search = { searchName: `${t.session.tag}-seq` };
    const finds = await settled(t, async () => {
      const seen = await t.send(operation, { query: { ...search, page: 0, take: 100 }, label: 'search' });
      const ids = idsOf(seen.response?.json);
      return ids?.includes(id) === true && ids.length < 50;
    });
    return finds ? search : {};
  });
}

/** Section 3 does not show the initial state: it is learned from the filter before anything is done. */
async function withState(t: TestContext, subject: Subject, search: Real['search']): Promise<Subject> {
  const operation = operationOf(t.session, 'policies');
  const finds = async (filterActive: boolean): Promise<boolean> =>
    (await walk(t, operation, { query: { ...search, filterActive } }))?.ids.includes(subject.id) === true;
  await settled(t, async () => {
    const [active, inactive] = [await finds(true), await finds(false)];
    if (active !== inactive) subject.known = { ...subject.known, active };
    return active !== inactive;
  });
  return subject;
}
