import type { Form } from '../../spec/index.ts';
import { readPage } from '../../domain/list-fixture.ts';
import type { ListFixture } from '../../domain/list-fixture.ts';
import type { TestContext } from '../kit/context.ts';
import { violationOf } from '../kit/violation.ts';

/** False, and reported, where this form of the list shows no known item and another one does: then its pages say nothing. */
export function showsItsItems(t: TestContext, fixture: ListFixture, form: Form): Promise<boolean> {
  const { operation, request, ids } = fixture;
  const others = operation.forms.filter((each) => each.name !== form.name);
  return t.holds(async (t) => {
    if (!t.knowledge.guarantees('forms', operation) || !fixture.isolated) return undefined;
    const size = ids.size + 10;
    const own = await readPage(t, fixture, 0, size);
    if (own.ids === undefined || own.ids.some((id) => ids.has(id))) return undefined;
    for (const other of others) {
      const seen = await readPage(t, { operation, request: { ...request, form: other } }, 0, size);
      const shown = seen.ids?.filter((id) => ids.has(id)) ?? [];
      if (shown.length === 0) continue;
      return violationOf('form-equivalence/body', operation, {
        subject: 'items',
        requirement: 'forms.equivalent',
        message: `${operation.id} leaves out items through ${form.name} that it lists through ${other.name}`,
        expected: `the ${shown.length} items that are listed through ${other.name}`,
        received: `${own.ids.length} other items`,
        exchanges: [seen.exchange, own.exchange],
      });
    }
    return undefined;
  });
}
