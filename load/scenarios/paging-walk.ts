import { policyReads } from './policies.ts';

const TAKE = 20;

/** All pages of the policy list, from the first to the last, repeatedly. */
export const pagingWalk = policyReads(
  { name: 'paging-walk', title: 'Reads all pages of a list in order.' },
  ({ count, tag }) => {
    const pages = Math.max(1, Math.ceil(count / TAKE));
    return Array.from({ length: pages }, (_, page) => `page=${page}&take=${TAKE}&searchName=${tag}`);
  },
);
