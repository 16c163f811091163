import { hit, number, served, withQuery } from '../proxy/call.ts';
import { at } from '../proxy/handler.ts';
import { items, withItems } from '../proxy/json.ts';
import { empty, parsed, problem, succeeded, withJson } from '../proxy/reply.ts';
import { together } from '../proxy/compose.ts';
import type { Call, Context, Make, Reply } from '../proxy/message.ts';
import { clueParts } from '../defects/items.ts';
import { stateful } from '../operators/operator.ts';
import { NOT_STATED, variation } from './variation.ts';
import type { Variation } from './variation.ts';

/** The organization of the embedded service, which its policies show. */
const ORGANIZATION = '5b2f6d0e-8c1a-4e57-9f3d-2a4b6c8d0e1f';

/** Of the parsed body: letters may be written as escapes. */
const versions = ({ json }: Call): readonly string[] =>
  [...JSON.stringify(json ?? null).matchAll(/"attribute-appVersion"\s*:\s*"([^"]*)"/g)].map((match) => match[1] ?? '');

/** Posts 60 clues, each with another key. */
const manyKeys = async (context: Context): Promise<void> => {
  for (let index = 0; index < 60; index += 1) {
    const origin = `/Person#before:${index}`;
    const level = { 'attribute-origin': origin, 'attribute-appVersion': '1.0' };
    const properties = { 'attribute-type': '/Metadata/KeyValue', [`property-aaa.before.key${index}`]: 'x' };
    const entityData = { ...level, 'attribute-source': 'x', entityType: '/Person', codes: [origin], properties };
    const data = { ...level, 'attribute-inputSource': 'x', entityData };
    await context.send('POST', '/api/v1/clue?save=true', {
      clue: { 'attribute-organization': ORGANIZATION, ...level, clueDetails: { data } },
    });
  }
};

const POSTED_BEFORE = 'the response to a clue whose origin code was posted before is not stated by api.md';

/** Answers clues whose origin code was posted before. */
const ofKnown = (reply: Reply): Make =>
  stateful(() => {
    const stored = new Set<string>();
    return at({ op: 'POST /clue', when: served }).handles(async (call, next) => {
      const origin = String(clueParts(call.json)[0]['attribute-origin']);
      if (stored.has(origin)) return reply;
      const first = await next();
      if (succeeded(first)) stored.add(origin);
      return first;
    });
  });

export const CLUES: readonly Variation[] = [
  variation('clues-202', 'the response to posted data is not shown (api.md 4)').by(
    at(['POST /clue', 'POST /admin/entity/ProcessClue']).successes((reply) => ({ ...reply, status: 202 })),
  ),
  variation('clue-again-conflicts', `${POSTED_BEFORE}; 409 is a conflict (section 7)`).by(ofKnown(problem(409))),
  variation(
    'clue-201-then-204',
    `${POSTED_BEFORE}; 201 is a created resource (section 7), and 204 has no body (platform.md)`,
  ).by(
    together(
      ofKnown(empty(204)),
      at('POST /clue').whenStatus(200, (reply) => ({ ...reply, status: 201 })),
    ),
  ),
  variation(
    'clue-versions-of-two-to-four-parts',
    `accepts clue versions of two to four parts only: ${NOT_STATED}`,
  ).refuses(
    (call) => hit(call, 'POST /clue') && versions(call).some((version) => !/^\d+(?:\.\d+){1,3}$/.test(version)),
  ),
  variation('many-vocabulary-keys', 'vocabs/keys takes page (0) and take (20) (platform.md)').by(
    at({ op: 'GET /vocabs/keys', when: served }).handles(async (call, next) => {
      const reply = await next(withQuery(call, { searchName: undefined, page: undefined, take: undefined }));
      const [page, take] = [number(call, 'page', 0), Math.min(number(call, 'take', 20), 20)];
      return withJson(reply, withItems(parsed(reply), items(parsed(reply)).slice(page * take, (page + 1) * take)));
    }),
    { before: manyKeys },
  ),
];
