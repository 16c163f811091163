import type { Defect } from '../defect.ts';
import { asObject, hit, items, parsed, succeeded } from '../proxy/edit.ts';
import type { Make } from '../proxy/message.ts';
import { row } from './kit.ts';

/** The ids of what these operations answer get a prefix, wherever they are shown, and are understood with it. */
const prefixed = (prefix: string, operations: readonly string[]): Make => {
  return () => {
    const known = new Set<string>();
    const shorten = (text: string): string => text.replaceAll(prefix, '');
    return async (call, next) => {
      const reply = await next({
        path: shorten(call.path),
        query: shorten(call.query),
        ...(call.json === undefined ? {} : { body: Buffer.from(shorten(call.body.toString('utf8'))) }),
      });
      const value = parsed(reply);
      if (!succeeded(reply) || value === undefined) return reply;
      if (hit(call, operations))
        for (const item of [value, ...items(value)]) {
          const { id } = asObject(item);
          if (typeof id === 'string') known.add(id);
        }
      const text = reply.body
        .toString('utf8')
        .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => (known.has(id) ? `${prefix}${id}` : id));
      return { ...reply, body: Buffer.from(text) };
    };
  };
};

const identified = (name: string, prefix: string, operations: readonly string[]): Defect =>
  row(
    name,
    'its identifier is a uuid (section 2)',
    operations,
    ['created-reads-back', 'body-fits-schema'],
    prefixed(prefix, operations),
  );

/** Ids in another form than the documented one. */
export const IDS: readonly Defect[] = [
  identified('agent-ids-no-uuids', 'agent-', ['POST /aiagent', 'GET /aiagent', 'GET /aiagent/{id}']),
  identified('result-ids-no-uuids', 'result-', [
    'GET /aijob/{id}/results/{type}',
    'GET /aijob/{id}/results/{type}/{resultId}',
  ]),
];
