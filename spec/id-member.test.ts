import { expect, test } from 'vitest';
import { idMember } from './id-member.ts';

const ID = '0ad2b3e8-0b3f-4e2a-9f57-2c1a7be40f11';

test('the id of an item is its "id", or the member named as the path parameter or as the collection', () => {
  expect(idMember({ agentId: ID, Id: '1' }, 'agentId', '/agents')).toBe('Id');
  expect(idMember({ FileId: 8, name: 'a' }, 'fileId')).toBe('FileId');
  expect(idMember({ parentAgentId: ID, agentId: ID }, 'id', '/api/aiagents')).toBe('agentId');
  expect(idMember({ agent_id: ID }, 'id', 'POST /aiagent')).toBe('agent_id');
  expect(idMember({ id: null, fileId: 8 }, 'fileId')).toBe('fileId');
});

test('a path parameter with a name of its own takes the member of that name', () => {
  expect(idMember({ id: ID, name: 'pool' }, 'name')).toBe('name');
  expect(idMember({ id: 8, uuid: ID }, 'uuid')).toBe('uuid');
  expect(idMember({ id: 8, slug: '' }, 'slug'), 'not set').toBe('id');
  expect(idMember({ id: 8, ticket: { id: 9 } }, 'ticket'), 'another item').toBe('id');
});

test('members that name other things are no ids', () => {
  expect(idMember({ chatId: ID, createdBy: ID }, 'id', '/aijob/{id}/results')).toBeUndefined();
  expect(idMember({ agentId: 'seven' }, 'id', '/aiagent'), 'not a uuid').toBeUndefined();
  expect(idMember({ tId: ID }, 'id', '/aiagent'), 'too short').toBeUndefined();
  expect(idMember({ '': ID })).toBeUndefined();
});
