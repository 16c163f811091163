import { isObject, isSuccess, responseFor } from '../../../spec/index.ts';
import type { Exchange, Json } from '../../../spec/index.ts';
import { differences } from '../../kit/compare.ts';
import type { TestContext } from '../../kit/context.ts';
import type { Flaw } from '../hunt/flaw.ts';
import { textNames } from './listing.ts';
import type { Item, Listing } from './listing.ts';

/** The sentence for each media type that answers are offered as besides `application/json`. */
const SENTENCES: Readonly<Record<string, string>> = {
  'text/json': 'content.response-text-json',
  'text/plain': 'content.response-text-plain',
};

/** Reads an item in each offered media type: the texts that were sent are the same; the rest others may move meanwhile. */
export async function readAs(
  t: TestContext,
  { resource, read }: Pick<Listing, 'resource' | 'read'>,
  { id, read: plain, value }: Item,
): Promise<readonly Flaw[]> {
  const found: Flaw[] = [];
  for (const { type } of responseFor(read, 200)?.content ?? []) {
    const requirement = SENTENCES[type];
    if (requirement === undefined) continue;
    const exchange = await t.sendQuietly(read, {
      path: { [resource.idName]: id },
      accept: type,
      label: `read it as ${type}`,
    });
    const own = new Set(textNames(value.request.body?.value));
    const pointer = unlike(plain, exchange).find((each) => own.has(each.split('/')[1] ?? ''));
    if (pointer === undefined) continue;
    found.push({
      check: 'response-media-types',
      requirement,
      operation: read,
      kind: `another content as ${type}`,
      message: `${read.id} answers another content as ${type} than as JSON`,
      expected: `the same item: ${pointer} as in application/json`,
      received: `another ${pointer}`,
      exchanges: [plain, exchange],
      instancePointer: pointer,
      final: false,
    });
  }
  return found;
}

function unlike(one: Exchange, other: Exchange): readonly string[] {
  const [json, text] = [one.response?.json, contentOf(other)];
  return isSuccess(other.response?.status ?? 0) && isObject(json) && isObject(text) ? differences(json, text) : [];
}

/** JSON, also under a media type that does not say so. */
function contentOf({ response }: Exchange): Json | undefined {
  if (response === undefined || response.json !== undefined) return response?.json;
  try {
    return JSON.parse(Buffer.from(response.body).toString()) as Json;
  } catch {
    return undefined;
  }
}
