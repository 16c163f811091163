import type { JsonGenerator } from '../generators/index.ts';
import type { Exchange, Form, Json, JsonObject, Operation } from '../spec/index.ts';
import type { ApiContext, RequestSpec } from './context.ts';
import type { CreatedItem } from './create.ts';
import type { ListFixture } from './list-fixture.ts';
import type { PathValues, Role } from './path-values.ts';
import type { ResponseJudge } from './requests.ts';
import type { Resource } from './resources.ts';

/** A documented filter of a list: its requirement, and the query that selects an item. */
export interface ItemFilter {
  readonly requirement: string;
  readonly query: (item: CreatedItem) => { readonly [name: string]: Json };
}

/**
 * What an API document guarantees beyond its machine-readable description. Suites assert only what is guaranteed:
 * - `valid-requests-succeed`: a valid request by an authorised caller is served
 * - `statuses`: 400, 401, 403, 404 and 409 have the meanings of api.md section 7 on every operation
 * - `storage`: what is created or updated is stored and can be read back; refused requests change nothing
 * - `shapes`: bodies of one operation have the same shape in every response
 * - `forms`: both forms of a path behave the same and share their state
 * - `paging`, `ordering`, `filters`: the parameters of lists work as documented
 * - `ids`: ids are uuids, unknown and malformed ones are refused
 * - `effects`: what a POST creates can be removed again by the DELETE of its resource
 */
export type Guarantee =
  | 'valid-requests-succeed'
  | 'statuses'
  | 'storage'
  | 'shapes'
  | 'forms'
  | 'paging'
  | 'ordering'
  | 'filters'
  | 'ids'
  | 'effects';

/** Requirements that the life cycle of a resource verifies. */
export interface LifecycleRequirements {
  readonly create: readonly string[];
  readonly stores?: string;
  readonly distinct?: string;
  readonly listed?: string;
  readonly update: readonly string[];
  readonly remove: readonly string[];
}

/** Values that a body may refer to, where the caller knows them. */
export type BodyReferences = Readonly<Record<string, Json>>;

/** How members that were sent are read back. */
export interface MemberRules {
  /** Names, in lower case, of members that the service sets itself, whatever is sent. */
  readonly setByService: ReadonlySet<string>;
  /** Names, in lower case, of members of an item that other operations set. In a part of an item, a difference is a warning. */
  readonly setElsewhere?: ReadonlySet<string>;
  /** Members of an item that are always returned; others may be left out. */
  readonly alwaysReturned: ReadonlySet<string>;
  /** Members that hold a map with the caller's own keys: a map that is returned has each key that was sent. */
  readonly maps: ReadonlySet<string>;
  /** Fits JSON pointers of members that change without a request to the item: what the service counts, or orders with other items. */
  readonly volatile: RegExp;
}

/** A path parameter that needs a value. */
export interface PathPlace {
  readonly name: string;
  /** Values of the parameters before it. */
  readonly known: PathValues;
  readonly role: Role;
}

/**
 * Everything known about an API beyond its description. Chosen once, when the contract is loaded (`knowledgeFor`);
 * nothing else asks which API it is.
 */
export interface ApiKnowledge {
  guarantees(what: Guarantee, operation?: Operation): boolean;
  readonly resources: readonly Resource[];
  /** Resources whose items are created below an item of this run, and have a path of their own. */
  readonly nested?: readonly Resource[];
  /** Resources whose items are created below an item of this run, and have a path below that of it. */
  readonly inner?: readonly Resource[];
  /** Items of this run for the path of an operation that adds an item to them. */
  parents?(t: ApiContext, operation: Operation): Promise<PathValues>;
  lifecycleRequirements(resource: Resource): LifecycleRequirements;
  readonly members: MemberRules;
  /** A plain valid body whose name holds `name`; undefined where none is known. */
  sampleBody(operation: Operation, name: string, references?: BodyReferences): Json | undefined;
  /** Notes how a plain body was answered. True where its values were refused, and the next plain body has others. */
  mayServeOther?(operation: Operation, exchange: Exchange): boolean;
  /**
   * Sets of members that the plain body leaves out, empty or simple, because a deployment may refuse them; by a description of the
   * set. A `name` among them is appended to the name of the item.
   */
  extraMembers?(t: ApiContext, operation: Operation, name: string): Promise<Readonly<Record<string, JsonObject>>>;
  /** Values that bodies of the operation refer to, created where they do not exist. */
  references(t: ApiContext, operation: Operation, path: PathValues): Promise<BodyReferences>;
  /** Ids of this run that replace placeholders in generated bodies; by placeholder. */
  placeholders?(t: ApiContext, operation: Operation): Promise<Readonly<Record<string, string>>> | undefined;
  /** Generates bodies that are meaningful to the operation; undefined: bodies are generated from the schema. */
  bodyGenerator(operation: Operation, references?: BodyReferences): JsonGenerator | undefined;
  /** A value for a path parameter; undefined: the value is found through the resource or list of the path. */
  pathValue(t: ApiContext, operation: Operation, place: PathPlace): Promise<string> | undefined;
  /** Query parameters of a plain request, besides the required ones. */
  query(t: ApiContext, operation: Operation): Promise<Readonly<Record<string, Json>>>;
  /** Brings the item of the path into a state in which the operation can succeed. */
  prepare(t: ApiContext, operation: Operation, path: PathValues): Promise<void>;
  /** Brings an item into a state in which a deployment may refuse to remove it; undefined where none is known. */
  use?(t: ApiContext, resource: Resource, id: string): Promise<Exchange | undefined>;
  /**
   * Statuses that the operation may answer an unknown id with; none where the document does not say. Default: 404 only. Used where
   * `ids` is guaranteed.
   */
  unknownIdStatuses?(operation: Operation): readonly number[];
  /** Where a deployment serves its own description; undefined: not known. */
  readonly servedDescription?: Operation;
  /** Operations of the description in use that the served one is known not to have. */
  readonly notInServedDescription?: ReadonlySet<string>;
  /** A list with known items; undefined: create items through the list's resource, or take the list as it is. */
  listFixture(t: ApiContext, operation: Operation): Promise<ListFixture> | undefined;
  /** How a list selects an item by what it was created with. */
  itemFilter?(list: Operation): ItemFilter | undefined;
  /** True for an operation on what appears only after a while, for example the results of a run. */
  awaits?(operation: Operation): boolean;
  /** Starts, once the operation has served a request, what tests of awaited operations will need; it does not wait for it. */
  begin?(t: ApiContext, operation: Operation): Promise<void>;
  /** True for an operation that probably makes the token useless: it is sent only where the user names it. */
  endsSession?(operation: Operation): boolean;
  /** True for a refusal for a value that only the tenant knows and the configuration does not have. */
  mayRefuse?(refused: Exchange): boolean;
  /** Advice for a refused request for which the configuration may be the reason; `wasServed`: the operation served another one. */
  hintFor?(refused: Exchange, wasServed: boolean): string | undefined;
  /** Called after each test, with whether it found a violation: what it saved of global state may not have to be restored. */
  afterTest?(t: ApiContext, hasFindings: boolean): Promise<void>;
  /**
   * Sends a valid request that names the items of others, such as a whole order, until it can be judged; undefined: the operation
   * needs no special care.
   */
  sendValid?(
    t: ApiContext & ResponseJudge,
    operation: Operation,
    form: Form,
    change: (request: RequestSpec) => RequestSpec,
  ): Promise<Exchange> | undefined;
}
