import type { Intent, JournalEntry, RequestPlan } from '../../client/index.ts';
import { isSuccess, scalarText } from '../../spec/index.ts';
import type { Exchange } from '../../spec/index.ts';
import { idOf } from '../../domain/items.ts';
import { resourcesOf } from '../../domain/resources.ts';
import type { Resource } from '../../domain/resources.ts';
import type { Session } from './session.ts';

/** Creations that a finding may have to begin with. */
const REMEMBERED = 4000;

/**
 * Sends with the journal at hand: what may create something is written down before it leaves, and struck out where it was
 * refused; what was removed is struck out too. Every suite sends through here, so none can forget it.
 */
export async function journaled(session: Session, plan: RequestPlan, send: () => Promise<Exchange>): Promise<Exchange> {
  if (plan.method !== undefined && plan.method !== plan.operation.method) return send();
  const resources = resourcesOf(session.contract);
  const made = resources.find((each) => each.create.id === plan.operation.id);
  if (made !== undefined) return creating(session, plan, made, send);
  const exchange = await send();
  const gone = resources.find((each) => each.remove.id === plan.operation.id);
  if (gone !== undefined && isSuccess(exchange.response?.status ?? 0)) {
    const entry = entryWith(session, gone, scalarText(plan.path?.[gone.idName] ?? ''));
    if (entry !== undefined) await session.journal.removed(entry);
  }
  return exchange;
}

async function creating(
  session: Session,
  plan: RequestPlan,
  resource: Resource,
  send: () => Promise<Exchange>,
): Promise<Exchange> {
  const entry = await session.journal.intend(intentOf(session, plan, resource));
  const exchange = await send();
  const status = exchange.response?.status ?? 0;
  if (status >= 400 && status < 500) await session.journal.refused(entry);
  else session.creations.set(exchange.id, entry);
  const id = idOf(exchange.response?.json);
  if (id !== undefined) remember(session, id, exchange);
  return exchange;
}

function remember({ made, origins }: Session, id: string, exchange: Exchange): void {
  made.add(id);
  origins.set(id, exchange);
  const oldest = origins.size > REMEMBERED ? origins.keys().next().value : undefined;
  if (oldest !== undefined) origins.delete(oldest);
}

function intentOf(session: Session, plan: RequestPlan, resource: Resource): Intent {
  const content = plan.body?.content ?? '';
  const text = typeof content === 'string' ? content : new TextDecoder().decode(content);
  return {
    create: resource.create.id,
    remove: resource.remove.id,
    idName: resource.idName,
    tag: new RegExp(`${session.tag}-[a-z0-9]+`).exec(text)?.[0] ?? session.tag,
    form: plan.form.name,
    ...(resource.list === undefined ? {} : { list: resource.list.id }),
  };
}

function entryWith(session: Session, resource: Resource, id: string | undefined): JournalEntry | undefined {
  return session.journal
    .pending()
    .find((each) => each.create === resource.create.id && each.id?.toLowerCase() === id?.toLowerCase());
}
