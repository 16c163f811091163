import type { Listed } from './exchange.ts';
import type { Json } from './json.ts';

/** An id that a response contains. Negative positions count from the end. */
export interface CapturedId {
  /** As in the run, in lower case. */
  readonly id: string;
  /** Position among the uuids of the response. */
  readonly place: number;
  /**
   * Where it is a member of an item of a list: the position of the item, the name of the member, and of another member that has an id
   * which the query names.
   */
  readonly item?: {
    readonly at: number;
    readonly member: string;
    readonly of?: { readonly member: string; readonly id: string };
  };
}

/** A part of a text that repeats another text, or that is repeated once. */
export interface RepeatedText {
  readonly text: string;
  readonly times: number;
}

/** A request of a {@link FindingScript}. Tokens are replaced by the names of their variables. */
export interface ScriptRequest {
  /** Position in `steps` of the finding; undefined for a preparing request. */
  readonly step?: number;
  readonly label?: string;
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The complete body, as text. */
  readonly body?: string;
  /** In place of a long body that repeats short texts: its parts. */
  readonly parts?: readonly RepeatedText[];
  /** The complete body if it is not text. */
  readonly base64?: string;
  /** Ids in the response that later requests use. */
  readonly captures?: readonly CapturedId[];
  /** The expected response of a step: its status, its content, and the ids of the script in it. */
  readonly received?: {
    readonly status: number;
    readonly ids: readonly string[];
    readonly length?: number;
    /** Items of a list that the script creates, with a member that shows another text than was sent. */
    readonly changed?: readonly { readonly id: string; readonly member: string }[];
  };
  /** If the response to a creation does not contain the id: the list that contains the item, and its name. */
  readonly listed?: Listed;
  /** The created item can be removed: DELETE of this URL and the id. */
  readonly creates?: true;
  /** The same for a creation that failed or was refused in the run: another deployment may carry it out. */
  readonly mayCreate?: true;
  /** Name of the member of the response that holds the id of what it creates, where that is not `id`. */
  readonly idMember?: string;
  /** In the run there was no response, as after a reset; the requests after it were sent all the same. */
  readonly unanswered?: true;
  /** Number of repetitions, each with other names. */
  readonly times?: number;
  /** Where the body is a list that was shortened: the position at which most of what was left out belongs. */
  readonly gap?: number;
  /** It was sent before the previous request was answered. */
  readonly overlaps?: true;
}

/** Requests that reproduce a finding, even after the run has removed its data. */
export interface FindingScript {
  readonly requests: readonly ScriptRequest[];
  /** Part of the name of everything that the run created; a replay replaces it with one of the same length. */
  readonly tag?: string;
  /** The keyword of the schema that the response violates, and its value. */
  readonly rule?: { readonly keyword: string; readonly value: Json };
  /** Declared success and redirect statuses of the operation, and the media types of a success. */
  readonly statuses: readonly string[];
  readonly mediaTypes: readonly string[];
  /** Changes of other items of the same resource that were under way in the run, with what they need. */
  readonly alongside?: readonly ScriptRequest[];
  /** Numeric defaults of the query parameters. */
  readonly defaults: Readonly<Record<string, number>>;
  /** The operation is called with a bearer token. */
  readonly usesBearer?: true;
  /** The permission of the operation that the subject of the finding names. */
  readonly permission?: string;
  /** Version that the description declares. */
  readonly version: string;
}
