import type { Keyword } from '../draft.ts';
import { narrow } from './enum.ts';

export const constant: Keyword = (draft, value) => narrow(draft, [value]);
