import type { GeneratedRequest } from '../../../generators/index.ts';
import { isObject, isServed, pointerTo, readPointer } from '../../../spec/index.ts';
import type { Json, JsonObject } from '../../../spec/index.ts';
import { ifSkipped } from '../../../domain/context.ts';
import { create } from '../../../domain/create.ts';
import type { Resource } from '../../../domain/resources.ts';
import type { TestContext } from '../../kit/context.ts';
import { bodyFormats } from '../../kit/formats.ts';
import { lastNames, mismatches } from '../../kit/read-back.ts';
import type { NotReturned } from '../../kit/read-back.ts';
import { violationOf } from '../../kit/violation.ts';
import { partsOf } from '../../../generators/index.ts';
import { replaced } from '../cases/parts.ts';
import { fullRequest } from '../cases/plain.ts';
import { withBodyValue } from '../case.ts';
import type { CaseViolation } from '../violation.ts';
import type { Fixture } from './fixture.ts';
import { sentJson } from './slot.ts';
import type { CaseOutcome } from './slot.ts';
import { tryCreate, tryReplace } from './stored.ts';

interface Stored extends Pick<Fixture, 'operation' | 'arbitrary' | 'base' | 'slots'> {
  readonly resource: Resource;
}

interface Altered {
  readonly violation: CaseViolation;
  readonly pointer: string;
}

/** A member that was returned as sent with this many values is known to be stored: losing it is a violation. */
const ENOUGH_VALUES = 2;

/** Most requests with one body. */
const MOST_ROUNDS = 40;

/** Learns, from plain values, which members the deployment does not return as they were sent: those are not compared. */
export async function learnNotReturned(t: TestContext, stored: Stored): Promise<NotReturned> {
  const plain = stored.base.body?.value;
  if (plain === undefined) return new Set();
  const learning = new Learning(t, stored);
  await learning.learnAll(firstItems(plain));
  if (!t.knowledge.guarantees('storage', stored.operation)) learning.reportAltered();
  return learning.notReturned;
}

class Learning {
  readonly notReturned = new Set<string>();
  readonly #t: TestContext;
  readonly #stored: Stored;
  readonly #mayEnable: boolean;
  /** By member ({@link lastNames}), the values that were returned as they were sent. */
  readonly #returned = new Map<string, Set<string>>();
  /** By member, the first violation in which it was returned with another value of the same type. */
  readonly #altered = new Map<string, Altered>();
  /** Members that were lost and then sent with the other operation: in a creation in place of an update, or the reverse. */
  readonly #compared = new Set<string>();
  /** Those of them that the item then returned. */
  readonly #stores = new Set<string>();

  constructor(t: TestContext, stored: Stored) {
    this.#t = t;
    this.#stored = stored;
    this.#mayEnable = t.allows('costly');
  }

  /**
   * Reports numbers and truth values that were never returned as they were sent, but with other values, as inferred: the service may set
   * them itself. Where the document guarantees storage, other tests report them.
   */
  reportAltered(): void {
    const { setByService, volatile } = this.#t.knowledge.members;
    for (const [name, { violation, pointer }] of this.#altered) {
      if (this.#returned.has(name) || volatile.test(name)) continue;
      if (setByService.has(name.toLowerCase())) continue;
      const { operation, exchanges, expected, received } = violation;
      const code = `${operation === this.#stored.resource.create ? 'created' : 'updated'}-reads-back/member` as const;
      const evidence = { expected, received, exchanges, subject: pointer, grade: 'inferred' as const };
      this.#t.report(violationOf(code, operation, evidence));
    }
  }

  async learnAll(plain: Json): Promise<void> {
    await this.#noteCreated();
    await this.#learnFrom(plain);
    if (!(await this.#learnFrom(otherValues(plain, this.#mayEnable)))) await this.#learnEach(plain);
    if (!isObject(plain)) return;
    await this.#learnMissing(plain);
    await this.#learnFilled(plain);
  }

  /** Learns each flag and number by itself, where all at once are refused. One that is refused by itself is not compared. */
  async #learnEach(plain: Json): Promise<void> {
    for (const { path, value } of partsOf(plain)) {
      const name = path.at(-1);
      if ((typeof value !== 'boolean' && typeof value !== 'number') || typeof name !== 'string') continue;
      const isKept = name === 'enabled' && !this.#mayEnable;
      const other = replaced(plain, path, isKept ? value : otherValues(value, this.#mayEnable));
      if (!(await this.#learnFrom(other))) this.notReturned.add(lastNames(pointerTo('', ...path)));
    }
  }

  /** Learns the members that the plain body lacks or leaves empty, one at a time. */
  async #learnMissing(plain: JsonObject): Promise<void> {
    const full = fullRequest(this.#stored.operation, this.#stored.arbitrary).body?.value;
    if (!isObject(full)) return;
    for (const [name, value] of Object.entries(full)) {
      if (!isEmpty(plain[name])) continue;
      const member = firstItems(value);
      for (const each of [member, otherValues(member, this.#mayEnable)])
        if (!this.notReturned.has(name) && !(await this.#learnFrom({ ...plain, [name]: each })))
          this.notReturned.add(name);
    }
  }

  /**
   * Learns which members the deployment adds to an object that is sent empty. In an update, members that the object had before, and
   * other members that were returned before, stay compared: the deployment kept or lost them. A new item has nothing to keep.
   */
  async #learnFilled(plain: JsonObject): Promise<void> {
    const objects = Object.entries(plain).filter((entry): entry is [string, JsonObject] => isObject(entry[1]));
    const left = new Set(
      objects.flatMap(([name, value]) => Object.keys(value).map((key) => lastNames(pointerTo('', name, key)))),
    );
    const before = new Set(this.notReturned);
    await this.#learnFrom({ ...plain, ...Object.fromEntries(objects.map(([name]) => [name, {}])) });
    if (this.#stored.operation === this.#stored.resource.create) return;
    for (const name of this.notReturned)
      if (!before.has(name) && (left.has(name) || this.#returned.has(name))) this.notReturned.delete(name);
  }

  /** Learns from one body, through a form that shows the item, until all of it is returned; false where it is refused. */
  async #learnFrom(body: Json): Promise<boolean> {
    const request = withBodyValue(this.#stored.base, body);
    if (!this.#stored.arbitrary.accepts(request)) return false;
    let patient = true;
    let form = 0;
    let isRead = false;
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const { exchange, violations, isCompared = false } = await this.#send(request, form, patient);
      if (!isServed(exchange)) return false;
      if (isCompared) {
        isRead = true;
        this.#note(
          body,
          violations.flatMap(({ pointers = [] }) => pointers),
        );
      }
      if (violations.length === 0) return true;
      const wrong = violations.find((each) => each.pointers !== undefined);
      patient = wrong === undefined && !patient;
      if (wrong === undefined) {
        round += MOST_ROUNDS / 4;
        if (!isCompared) form += 1;
        continue;
      }
      this.#noteAltered(body, wrong);
      const absent = (wrong.pointers ?? []).filter((each) => wrong.emptied?.includes(each) !== true);
      await this.#compareWithOther(request, wrong.missing ?? []);
      const names = absent.map(lastNames).filter((name) => !this.#isStored(name));
      if (names.length === 0) return true;
      for (const name of names) this.notReturned.add(name);
    }
    if (!isRead) for (const { path } of partsOf(body)) this.notReturned.add(lastNames(pointerTo('', ...path)));
    return true;
  }

  #send(request: GeneratedRequest, form: number, patient: boolean): ReturnType<typeof tryCreate> {
    const { operation, resource, slots } = this.#stored;
    const store = { resource, notReturned: this.notReturned };
    const value = { request, form };
    return slots.use((slot) =>
      operation === resource.create
        ? tryCreate(this.#t, store, { value, slot, patient })
        : tryReplace(this.#t, store, operation, { value, slot, patient }),
    );
  }

  /** Members that an update or a creation loses, and the other one with the same body returns, are known to be stored. */
  async #compareWithOther(request: GeneratedRequest, missing: readonly string[]): Promise<void> {
    const names = missing.map(lastNames).filter((name) => !this.#compared.has(name));
    const other = names.length === 0 ? undefined : await this.#sendOther(request);
    if (other?.isCompared !== true || !isServed(other.exchange)) return;
    const wrong = new Set(other.violations.flatMap(({ pointers = [] }) => pointers).map(lastNames));
    for (const name of names) {
      this.#compared.add(name);
      if (!wrong.has(name) && other.violations.every(({ pointers }) => pointers !== undefined)) this.#stores.add(name);
    }
  }

  /** Creates an item with the body of an update, or updates a new item with the body of a creation; undefined where that is not possible. */
  async #sendOther(request: GeneratedRequest): Promise<CaseOutcome | undefined> {
    const [t, value] = [this.#t, { request, form: 0 }];
    const { operation, resource, slots } = this.#stored;
    const store = { resource, notReturned: this.notReturned };
    const { create: creation, replace } = resource;
    if (operation !== creation)
      return slots.use((slot) => tryCreate(t, store, { value, slot: { ...slot, path: {} }, patient: true }));
    if (replace === undefined || !t.allows(replace.effect)) return undefined;
    const item = await create(t, resource, { suffix: 'updated', expect: 'any' }).catch(ifSkipped);
    if (item === undefined) return undefined;
    const { path, created } = item;
    return slots.use((slot) =>
      tryReplace(t, store, replace, { value, slot: { ...slot, path, created }, patient: true }),
    );
  }

  #isStored(name: string): boolean {
    if (this.#stores.has(name)) return true;
    return (this.#returned.get(name)?.size ?? 0) >= ENOUGH_VALUES;
  }

  /** Notes which members a new item returns as they were sent in its creation. */
  async #noteCreated(): Promise<void> {
    const { resource, slots } = this.#stored;
    const { created, path } = slots.all[0] ?? {};
    const sent = created === undefined ? undefined : sentJson(created);
    const id = path?.[resource.idName];
    if (resource.read === undefined || sent === undefined || id === undefined) return;
    const read = { path: { [resource.idName]: id }, label: 'read it as it was created' };
    const { response } = await this.#t.sendQuietly(resource.read, read);
    if (response?.status === 200)
      this.#note(
        sent,
        [...mismatches(sent, response.json, new Set(), bodyFormats(this.#t.contract, resource.create))].map(
          ({ pointer }) => pointer,
        ),
      );
  }

  #noteAltered(body: Json, violation: CaseViolation): void {
    const read = violation.exchanges.at(-1)?.response?.json;
    for (const pointer of violation.pointers ?? []) {
      const [sent, shown] = [body, read].map((each) => readPointer(each, pointer));
      const isPlain = typeof sent === 'number' || typeof sent === 'boolean';
      if (!isPlain || typeof shown !== typeof sent || shown === sent) continue;
      const name = lastNames(pointer);
      if (!this.#altered.has(name)) this.#altered.set(name, { violation, pointer });
    }
  }

  #note(sent: Json, wrong: readonly string[]): void {
    for (const { path, value } of partsOf(sent)) {
      const pointer = pointerTo('', ...path);
      if (typeof value === 'object' || wrong.some((each) => pointer === each || pointer.startsWith(`${each}/`)))
        continue;
      const name = lastNames(pointer);
      // It was not compared.
      if (this.notReturned.has(name)) continue;
      this.#returned.set(name, (this.#returned.get(name) ?? new Set()).add(JSON.stringify(value)));
    }
  }
}

function isEmpty(value: Json | undefined): boolean {
  return value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}

/** The value with lists cut to their first item, so that reordering is not learned as a normal difference. */
function firstItems(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).slice(0, 1).map(firstItems);
  return isObject(value) ? mapMembers(value, (_, member) => firstItems(member)) : value;
}

/** The value with other flags and numbers, so that stored values differ from constant responses. */
function otherValues(value: Json, mayEnable: boolean): Json {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value === 1 ? 2 : 1;
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => otherValues(item, mayEnable));
  return isObject(value)
    ? mapMembers(value, (key, member) => (key === 'enabled' && !mayEnable ? member : otherValues(member, mayEnable)))
    : value;
}

function mapMembers(object: JsonObject, map: (key: string, member: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, member]) => [key, map(key, member)]));
}
