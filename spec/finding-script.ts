import type { Listed } from './exchange.ts';
import type { Json } from './json.ts';

/** A request of a {@link FindingScript}. Tokens are replaced by the names of their variables. */
export interface ScriptRequest {
  /** Position in `steps` of the finding; undefined for what only prepares. */
  readonly step?: number;
  readonly label?: string;
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The whole body, as text. */
  readonly body?: string;
  /** The whole body where it is no text. */
  readonly base64?: string;
  /** Ids in the response that later requests name: the id in the run, and its place among the uuids of the response. */
  readonly captures?: readonly { readonly id: string; readonly place: number }[];
  /** The whole answer of a step: its status, what it contains, and which ids of the script. */
  readonly received?: { readonly status: number; readonly ids: readonly string[]; readonly length?: number };
  /** Where the response does not tell the id of what is created: the list that shows it, and its name. */
  readonly listed?: Listed;
  /** What it creates can be removed: DELETE of its URL and the id. */
  readonly creates?: true;
  /** It is repeated so often, each time with other names. */
  readonly times?: number;
  /** It was sent before the one before it was answered. */
  readonly overlaps?: true;
}

/** Requests that show a finding again, also after the run has removed its data. */
export interface FindingScript {
  readonly requests: readonly ScriptRequest[];
  /** In the name of all that the run created; it is replaced by another of the same length. */
  readonly tag?: string;
  /** The keyword of the schema that the response violates, and its value. */
  readonly rule?: { readonly keyword: string; readonly value: Json };
  /** Statuses of success and redirects that the description declares for the operation, and the media types of a success. */
  readonly statuses: readonly string[];
  readonly mediaTypes: readonly string[];
  /** Numeric defaults of the query parameters. */
  readonly defaults: Readonly<Record<string, number>>;
  /** Version that the description declares. */
  readonly version: string;
}
