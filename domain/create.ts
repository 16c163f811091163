import type { SampleContext } from '../generators/index.ts';
import type { Exchange, Form, Json } from '../spec/index.ts';
import { isSuccess } from '../spec/index.ts';
import { idOf, isUuid, mentions, spelledId } from './items.ts';
import { bodyNamed } from './inferred/plain-request.ts';
import type { Resource } from './resources.ts';
import { Skip } from '../suites/kit/context.ts';
import type { TestContext } from '../suites/kit/context.ts';
import { walk } from './read-list.ts';

/** Something that this run created. */
export interface Made {
  readonly resource: Resource;
  /** As the deployment spells it. */
  readonly id: string;
  /** Its name, unique in the deployment. */
  readonly name: string;
  readonly sent: Json;
  readonly created: Exchange;
}

export interface CreateOptions {
  readonly form?: Form;
  /** Ends its name; left out: a number. */
  readonly suffix?: string;
  /** What to send instead of a plain sample, made from the name; undefined: the sample. */
  readonly body?: (name: string) => Json | undefined;
  readonly context?: SampleContext;
  readonly label?: string;
  readonly proof?: boolean;
}

let counter = 0;

/** A name that nothing else has, with the run's tag; with the same suffix all are of one length, so that a length is the same in a replay. */
export function uniqueName(t: TestContext, suffix?: string): string {
  counter += 1;
  return `${t.session.tag}-${suffix ?? 'n'}${counter.toString(36).padStart(4, '0')}`;
}

/**
 * Creates an item and waits until it can be read. Where it never shows under the id that was answered, that is a finding,
 * and its real id is looked for in the list. Only an id that was read back is ever acknowledged in the journal.
 * Throws {@link Skip} where there is nothing to go on with.
 */
export async function create(t: TestContext, resource: Resource, options: CreateOptions = {}): Promise<Made> {
  const name = uniqueName(t, options.suffix);
  const sent = options.body?.(name) ?? bodyNamed(t.session.contract, resource.create, name, options.context);
  if (sent === undefined) throw new Skip(`no sample body is known for ${resource.create.id}`);
  const form = options.form ?? preferredForm(resource);
  const created = await t.send(resource.create, {
    json: sent,
    expect: t.session.contract.builtIn ? 'success' : 'any',
    label: options.label ?? 'create',
    ...(form === undefined ? {} : { form }),
    ...(options.proof === true ? { proof: true } : {}),
  });
  if (created.response === undefined || !isSuccess(created.response.status)) {
    throw new Skip(`${resource.create.id} did not create what this test needs`);
  }
  const told = idInBody(created);
  const id = await confirm(t, resource, { name, told, form, created });
  const entry = t.session.creations.get(created.id);
  if (entry !== undefined) await t.session.journal.acknowledge(entry, id);
  return { resource, id, name, sent, created };
}

/** The explicit form is the one that the document prefers. */
function preferredForm(resource: Resource): Form | undefined {
  return resource.create.forms.at(-1);
}

/** The id that the answer to a creation tells. */
export function idInBody({ response }: Exchange): string | undefined {
  const json = response?.json;
  if (typeof json === 'string') return json;
  const text =
    response?.mediaType === 'text/plain' ? new TextDecoder().decode(response.body).trim().replaceAll('"', '') : '';
  return isUuid(text) ? text : spelledId(json);
}

interface Told {
  readonly name: string;
  readonly told: string | undefined;
  readonly form: Form | undefined;
  readonly created: Exchange;
}

/** The id under which the new item can be read: the one that was told, or else the one that the list has. */
async function confirm(t: TestContext, resource: Resource, { name, told, form, created }: Told): Promise<string> {
  const { read } = resource;
  const at = form === undefined ? {} : { form };
  if (
    told !== undefined &&
    (read === undefined ||
      (await settled(t, async () => {
        const exchange = await t.sendQuietly(read, { ...at, path: { [resource.idName]: told }, label: 'read it' });
        return (
          exchange.response?.status === 200 && (!t.session.contract.builtIn || mentions(exchange.response.json, name))
        );
      })))
  )
    return told;
  const listed = await findByName(t, resource, name, told === undefined);
  if (told !== undefined && read !== undefined && t.session.contract.builtIn) {
    const exchange = await t.sendQuietly(read, { ...at, path: { [resource.idName]: told }, label: 'read it' });
    t.report({
      check: 'created-reads-back',
      operation: exchange.response?.status === 404 && listed === told.toLowerCase() ? read : resource.create,
      cause: `not readable under the id that was answered (${exchange.response?.status ?? 'no answer'})`,
      message: `what ${resource.create.id} created can't be read under the id that it answered`,
      expected: `${read.id} with that id answers 200 and an item named ${name}`,
      received: `status ${exchange.response?.status ?? 'none'}${exchange.response?.status === 200 ? ' and another item' : ''}`,
      exchanges: [created, exchange],
    });
  }
  if (listed === undefined) throw new Skip(`what ${resource.create.id} created can't be found again`);
  return listed;
}

/** Looks for an item by its name in all pages of its list, waiting as long as a change may take to show. */
export async function findByName(
  t: TestContext,
  resource: Resource,
  name: string,
  patient = true,
): Promise<string | undefined> {
  const { list } = resource;
  if (list === undefined) return undefined;
  let id: string | undefined;
  const look = async (): Promise<boolean> => {
    const seen = await walk(t, list, { label: 'look for it in the list' });
    id = idOf(seen?.items.find((item) => mentions(item, name)));
    return id !== undefined;
  };
  await (patient ? settled(t, look) : look());
  return id;
}

/** Repeats until it holds, at most for the settling time; the last look begins after it. */
export async function settled(t: TestContext, look: () => Promise<boolean>): Promise<boolean> {
  const until = Date.now() + t.session.options.settleMs;
  for (let wait = 10; ; wait = Math.min(wait * 2, 250)) {
    const last = Date.now() >= until;
    if (await look()) return true;
    if (last) return false;
    await new Promise((resolve) => {
      setTimeout(resolve, Math.max(1, Math.min(wait, until - Date.now())));
    });
  }
}
