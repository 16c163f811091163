import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { GeneratedRequest } from '../../../generators/index.ts';
import type { Json } from '../../../spec/index.ts';

/** One request to try. Ids and names that only a run knows stand in it as placeholders, so that it means the same in every run. */
export interface Case {
  readonly request: GeneratedRequest;
  /** Number of the operation's form. */
  readonly form: number;
  /** What is tried with the request, where a property tries several things. */
  readonly variant?: string;
  /** Goes instead of the body's value. */
  readonly rawBody?: string;
  /** For a person: what is odd about it. */
  readonly label?: string;
  /** What is updated: an item that was made to hold every member and other flags before, so that what an update leaves as it was shows, a new one, or one whose lists and maps are empty. */
  readonly after?: 'full' | 'new' | 'empty';
  /** Members that the deployment, as the run learned, does not give back as they were sent; stands in paths, so that a replay need not learn it again. */
  readonly habits?: readonly string[];
  /** Set where the document promises that it is served. */
  readonly served?: boolean;
}

/** A case as `--path` takes it: short, whole, and independent of seeds. */
export function encodeCase(value: Case): string {
  return deflateRawSync(Buffer.from(JSON.stringify(value)), { level: 9 }).toString('base64url');
}

/** The case of a `--path`; undefined where the text is none. */
export function decodeCase(path: string): Case | undefined {
  try {
    const value: unknown = JSON.parse(
      inflateRawSync(Buffer.from(path, 'base64url'), { maxOutputLength: 50_000_000 }).toString(),
    );
    return typeof value === 'object' && value !== null && 'request' in value && 'form' in value
      ? (value as Case)
      : undefined;
  } catch {
    return undefined;
  }
}

/** The request with another body. */
export function withBody(request: GeneratedRequest, value: Json): GeneratedRequest {
  return { ...request, body: { type: request.body?.type ?? 'application/json', value } };
}

/** How much there is to read in a case. */
export function sizeOf({ request, rawBody }: Case): number {
  return JSON.stringify(request).length + (rawBody?.length ?? 0);
}
