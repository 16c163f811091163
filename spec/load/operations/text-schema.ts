import type { JsonObject } from '../../json.ts';

/** Stands for what a description leaves out: a string that is not empty. */
export const TEXT_SCHEMA: JsonObject = { type: 'string', minLength: 1 };

/** Key of the document under which schemas stand that no description gave. */
export const ADDED_KEY = 'x-assay';

/** Where {@link TEXT_SCHEMA} stands in the document. */
export const TEXT_POINTER = `/${ADDED_KEY}/text`;
