import type { Json } from '../spec/index.ts';

/** Values that a tenant checks, as its configuration gives them. */
export interface Fixtures {
  /** Id (uuid) of the organization that clues belong to. */
  readonly organization?: string;
  /** Id (uuid) of an endpoint that jobs can use. */
  readonly endpoint?: string;
  /** An entity type that clues may have, for example `/Customer`. */
  readonly entityType?: string;
  /** Valid bodies by operation, such as `POST /aijob`, used in place of the samples. `{name}` in a text becomes a unique name. */
  readonly bodies?: Readonly<Record<string, Json>>;
}
