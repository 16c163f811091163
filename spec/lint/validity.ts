import { existingPointer } from '../pointer.ts';
import type { OpenAPI } from 'openapi-types';
import type { DescriptionProblem } from '../contract.ts';
import type { JsonObject } from '../json.ts';

/** More of the same help nobody. */
const MOST = 100;

/** Keywords that only say that something below them is wrong. */
const EMPTY_WORDS: readonly string[] = ['oneOf', 'anyOf', 'if', '$ref', 'allOf', 'not'];

interface Detail {
  readonly instancePath: string;
  readonly keyword: string;
  readonly message: string;
}

function detailsOf(error: unknown): readonly Detail[] {
  const details: unknown = error instanceof Error && 'details' in error ? error.details : undefined;
  if (!Array.isArray(details)) return [];
  return details.flatMap((item: unknown) => {
    if (typeof item !== 'object' || item === null || !('instancePath' in item) || !('keyword' in item)) return [];
    const message = 'message' in item ? String(item.message) : '';
    const extra = 'params' in item ? JSON.stringify(item.params) : '';
    return [
      { instancePath: String(item.instancePath), keyword: String(item.keyword), message: `${message} ${extra}`.trim() },
    ];
  });
}

/** Only what is wrong at the deepest places: what stands above them says the same in fewer words. */
function deepest(details: readonly Detail[]): readonly Detail[] {
  const telling = details.filter((item) => !EMPTY_WORDS.includes(item.keyword));
  const candidates = telling.length > 0 ? telling : details;
  const above = new Set<string>();
  for (const { instancePath } of candidates) {
    const steps = instancePath.split('/');
    for (let length = 1; length < steps.length; length += 1) above.add(steps.slice(0, length).join('/'));
  }
  return candidates.filter((item) => !above.has(item.instancePath));
}

/** What swagger-parser has against a description, besides what loading it already told. */
export async function validityProblems(written: JsonObject, source: string): Promise<readonly DescriptionProblem[]> {
  const { default: SwaggerParser } = await import('@apidevtools/swagger-parser');
  try {
    const copy = structuredClone(written) as unknown as OpenAPI.Document;
    await SwaggerParser.validate(source, copy, {
      dereference: { circular: 'ignore' },
      resolve: { http: { timeout: 10_000 } },
    });
    return [];
  } catch (error) {
    const details = deepest(detailsOf(error)).slice(0, MOST);
    if (details.length === 0) return [invalid('', error instanceof Error ? error.message : String(error))];
    return details.map((item) => invalid(existingPointer(written, item.instancePath), item.message));
  }
}

function invalid(pointer: string, message: string): DescriptionProblem {
  return {
    code: 'invalid',
    severity: 'warning',
    pointer,
    message: `Not as OpenAPI has it: ${message}.`,
    mend: 'Write it as the specification says, so that other tools read it as well.',
  };
}
