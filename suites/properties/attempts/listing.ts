import { isObject } from '../../../spec/index.ts';
import type { Exchange, Json, Operation } from '../../../spec/index.ts';
import type { Resource } from '../../../domain/resources.ts';
import type { Case } from '../hunt/case.ts';
import type { Bench } from './bench.ts';

/** What lists need: the resource with its list and its reading. */
export interface Listing {
  readonly resource: Resource;
  readonly list: Operation;
  readonly read: Operation;
  /** What else can be asked of an item, without a body. */
  readonly visits: readonly Operation[];
  readonly bench: Bench;
}

/** An item that was created for a case. */
export interface Item {
  readonly value: Case;
  readonly id: string;
  readonly created: Exchange;
  readonly read: Exchange;
}

/** Members of the body that are texts or hold them, which both views of an item may have. */
export function textNames(body: Json | undefined): readonly string[] {
  if (!isObject(body)) return [];
  return Object.keys(body).filter((name) => typeof body[name] === 'string' || isObject(body[name]));
}
