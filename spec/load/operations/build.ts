import { pointerTo } from '../../pointer.ts';
import { effectOf } from './effect.ts';
import { parametersOf } from './parameters.ts';
import { accessOf } from './permission.ts';
import { textOf } from './read.ts';
import { bodyOf, responsesOf } from './responses.ts';
import type { Operation } from '../../contract.ts';
import type { JsonObject } from '../../json.ts';
import type { Candidate } from './candidates.ts';
import type { Removable } from './effect.ts';
import type { Reading } from './read.ts';

/** An operation before it has its forms. */
export type Formless = Omit<Operation, 'id' | 'path' | 'forms'>;

function tagOf(node: JsonObject, template: string): string {
  const tags = node['tags'];
  const first: unknown = Array.isArray(tags) ? tags[0] : undefined;
  if (typeof first === 'string') return first;
  return (
    template
      .split('/')
      .find((part) => part !== '' && part !== 'api' && !/^v\d+$/.test(part) && !part.startsWith('{')) ?? 'default'
  );
}

function extensionsOf(node: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(node).filter(([key]) => key.startsWith('x-')));
}

/** Reads one operation object. */
export function buildOperation(reading: Reading, candidate: Candidate, removable: Removable): Formless {
  const { node, item, method, template, pointer } = candidate;
  const lists = [
    { list: node['parameters'], pointer: pointerTo(pointer, 'parameters') },
    { list: item['parameters'], pointer: pointerTo(candidate.itemPointer, 'parameters') },
  ];
  const body = bodyOf(reading, method, node, pointer);
  const access = accessOf(reading.document, node);
  const section = textOf(node, 'x-section');
  return {
    method,
    tag: tagOf(node, template),
    summary: textOf(node, 'summary') ?? textOf(node, 'description')?.split('\n')[0] ?? '',
    parameters: parametersOf(reading, template, lists, pointer),
    ...(body === undefined ? {} : { body }),
    responses: responsesOf(reading, node, pointer),
    permission: access.permission,
    ...(access.authUndeclared ? { authUndeclared: true } : {}),
    effect: effectOf(node, method, template, removable),
    extensions: extensionsOf(node),
    ...(section === undefined ? {} : { section }),
  };
}
