import { isObject } from '../json.ts';
import { readPointer } from '../pointer.ts';
import { normalise } from './normalise.ts';
import { operationsOf } from './operations/index.ts';
import { ADDED_KEY, TEXT_SCHEMA } from './operations/text-schema.ts';
import { problemList } from './problems.ts';
import { documentRequirements, generalRequirements } from './requirements.ts';
import { createValidator } from './validate/index.ts';
import type { Contract, DescriptionProblem, SchemaRef } from '../contract.ts';
import type { JsonObject } from '../json.ts';

const LONGEST_CHAIN = 64;

/** A description that was read and understood, but for what it says. */
export interface ReadDescription {
  readonly source: string;
  readonly builtIn: boolean;
  readonly dialect: Contract['dialect'];
  readonly written: JsonObject;
}

function resolver(document: JsonObject): Contract['resolve'] {
  return (ref) => {
    let current: SchemaRef = ref;
    for (let step = 0; step < LONGEST_CHAIN; step += 1) {
      const target = isObject(current.schema) ? current.schema['$ref'] : undefined;
      if (typeof target !== 'string') return current;
      const pointer = decodeURIComponent(target.slice(1));
      const schema = readPointer(document, pointer);
      if (typeof schema !== 'boolean' && !isObject(schema)) return { pointer, schema: true };
      current = { pointer, schema };
    }
    return { pointer: current.pointer, schema: true };
  };
}

function textOf(value: unknown, fallback: string): string {
  return typeof value === 'string' ? value : fallback;
}

/** Builds a contract; what was told while reading comes first among its problems. */
export function buildContract(read: ReadDescription, told: readonly DescriptionProblem[]): Contract {
  const { problems, report } = problemList();
  for (const problem of told) report(problem);
  const document: JsonObject = { ...normalise(read.written, read.dialect, report), [ADDED_KEY]: { text: TEXT_SCHEMA } };
  const operations = operationsOf({ document, report });
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  const info = isObject(document['info']) ? document['info'] : {};
  return {
    title: textOf(info['title'], 'Untitled API'),
    version: textOf(info['version'], ''),
    source: read.source,
    dialect: read.dialect,
    builtIn: read.builtIn,
    document,
    operations,
    requirements: read.builtIn ? documentRequirements() : generalRequirements(),
    problems,
    operation: (id) => byId.get(id),
    resolve: resolver(document),
    validate: createValidator(document),
  };
}
