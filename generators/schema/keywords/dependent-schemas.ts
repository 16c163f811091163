import type { Keyword } from '../draft.ts';
import { mapUnder } from '../place.ts';

/** Either the member is absent, or it is there and its schema holds. */
export const dependentSchemas: Keyword = (draft, value, place) => {
  draft.hinted.add('object');
  for (const [name, ref] of mapUnder(place, 'dependentSchemas', value)) {
    draft.choices.push({
      pointer: ref.pointer,
      alternatives: [
        { refs: [], forbid: [name] },
        { refs: [ref], require: [name] },
      ],
    });
  }
};
