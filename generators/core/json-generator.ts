import type { Json } from '../../spec/index.ts';
import type { Generator } from './generator.ts';
import type { Guide } from '../shrink/json.ts';

/** Makes JSON and guides its shrinking, so that it can be part of something larger. */
export interface JsonGenerator extends Generator<Json>, Guide {
  accepts(value: unknown): boolean;
}
