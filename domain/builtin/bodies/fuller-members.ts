import type { JsonObject } from '../../../spec/index.ts';
import type { ApiContext } from '../../context.ts';
import { itemsOf, memberOf } from '../../items.ts';
import { OPERATIONS, operationOf } from '../operations.ts';
import { emptyFilter } from './samples.ts';

/** Members of a new item that the plain sample leaves empty, since a deployment may refuse them; by the operation that creates it. */
export async function fullerMembers(t: ApiContext, operationId: string, name: string): Promise<JsonObject | undefined> {
  switch (operationId) {
    case OPERATIONS.createPolicy:
      return { rules: [1, 2].map((order) => sampleRule(`${name} rule ${order}`, order)) };
    case OPERATIONS.createJob:
      return { cronSchedule: '0 3 * * 1', ...(await skillMembers(t)) };
    case OPERATIONS.createAgent:
      return {
        instructions: `Answer ${name}\nin two lines.`,
        metadata: { 'assay-tag': name, 'assay.team': 'data', 'assay empty': '' },
      };
    default:
      return undefined;
  }
}

/** A rule that applies to everything and does nothing. */
function sampleRule(name: string, order: number): JsonObject {
  return {
    name,
    description: `${name}; safe to delete.`,
    order,
    isActive: true,
    conditions: emptyFilter(),
    actions: [],
  };
}

async function skillMembers(t: ApiContext): Promise<JsonObject> {
  const { response } = await t.send(operationOf(t, 'skills'), { label: 'list the skills' });
  const names = itemsOf(response?.json)?.map((skill) => memberOf(skill, 'name'));
  const known = names?.filter((each): each is string => typeof each === 'string') ?? [];
  return known.length === 0 ? {} : { allowedSkills: known.slice(0, 2) };
}
