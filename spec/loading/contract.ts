import { basename } from 'node:path';
import { isObject, scalarText } from '../json.ts';
import { pointerOfRef, readPointer } from '../pointer.ts';
import { normalise } from './normalise.ts';
import { operationsOf } from './operations/operations.ts';
import { mergeApiDocument } from './merge-api-document.ts';
import { applicable } from './applicable.ts';
import { mixedRequirements } from './requirements.ts';
import { ADDED_KEY, TEXT_SCHEMA } from './operations/parameters.ts';
import { ProblemList } from './report.ts';
import { createValidator } from './validate/validator.ts';
import type { Contract, DescriptionProblem, SchemaRef } from '../contract.ts';
import type { JsonObject } from '../json.ts';
import type { Requirement } from '../requirements.ts';

const MAX_REF_CHAIN = 64;

/** A parsed description of a supported dialect. */
export interface ReadDescription {
  readonly source: string;
  readonly builtIn: boolean;
  readonly dialect: Contract['dialect'];
  readonly written: JsonObject;
  readonly requirements: readonly Requirement[];
}

function resolver(document: JsonObject): Contract['resolve'] {
  return (ref) => {
    let current: SchemaRef = ref;
    for (let step = 0; step < MAX_REF_CHAIN; step += 1) {
      const target = isObject(current.schema) ? current.schema['$ref'] : undefined;
      if (typeof target !== 'string') return current;
      const pointer = pointerOfRef(target);
      const schema = readPointer(document, pointer);
      if (typeof schema !== 'boolean' && !isObject(schema)) return { pointer, schema: true };
      current = { pointer, schema };
    }
    return { pointer: current.pointer, schema: true };
  };
}

/** Builds a contract; `found`: problems of the reading. `known`: the API document, whose operations are recognised. */
export function buildContract(
  read: ReadDescription,
  found: readonly DescriptionProblem[],
  known?: ReadDescription,
): Contract {
  const list = new ProblemList();
  for (const problem of found) list.add(problem);
  const own: JsonObject = {
    ...normalise(read.written, read.dialect, (problem) => list.add(problem)),
    [ADDED_KEY]: { text: TEXT_SCHEMA },
  };
  const written = operationsOf({ document: own, report: list.report });
  const recognised =
    known === undefined
      ? undefined
      : mergeApiDocument(
          own,
          written,
          normalise(known.written, known.dialect, () => undefined),
          list.report,
        );
  const { document, operations } = recognised ?? { document: own, operations: written };
  const info = isObject(document['info']) ? document['info'] : {};
  return withLookups({
    title: typeof info['title'] === 'string' ? info['title'] : 'Untitled API',
    version: scalarText(info['version']),
    source: read.builtIn ? basename(read.source) : read.source,
    dialect: read.dialect,
    builtIn: read.builtIn,
    document,
    operations,
    requirements:
      recognised === undefined || known === undefined
        ? read.builtIn
          ? read.requirements
          : applicable(read.requirements, operations)
        : mixedRequirements(known.requirements, operations),
    problems: list.problems,
  });
}

export function withLookups(data: Omit<Contract, 'operation' | 'resolve' | 'validate'>): Contract {
  const byId = new Map(data.operations.map((operation) => [operation.id, operation]));
  return {
    ...data,
    operation: (id) => byId.get(id),
    resolve: resolver(data.document),
    validate: createValidator(data.document),
  };
}

/** The contract without the header parameters of these names, which the user sets for every request. */
export function withoutHeaders(contract: Contract, names: readonly string[]): Contract {
  if (names.length === 0) return contract;
  const fixed = new Set(names.map((name) => name.toLowerCase()));
  const operations = contract.operations.map((operation) => ({
    ...operation,
    parameters: operation.parameters.filter((each) => each.in !== 'header' || !fixed.has(each.name.toLowerCase())),
  }));
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  return { ...contract, operations, operation: (id) => byId.get(id) };
}
