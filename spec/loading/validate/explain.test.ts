import { expect, test } from 'vitest';
import { loadWritten, openapi } from '../../testing/description-file.ts';

test('explains the alternative that the discriminator selects', async () => {
  const schema = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
  const of = (kind: string, member: string): object => ({
    type: 'object',
    required: ['kind', member],
    properties: { kind: { const: kind }, [member]: { type: 'boolean' } },
  });
  const schemas = {
    Cat: of('cat', 'indoor'),
    Fish: of('fish', 'salt'),
    Mapped: {
      oneOf: [schema('Cat'), schema('Fish')],
      discriminator: { propertyName: 'kind', mapping: { fish: '#/components/schemas/Fish' } },
    },
    Named: { oneOf: [schema('Cat'), schema('Fish')], discriminator: { propertyName: 'kind' } },
  };
  const contract = await loadWritten({ ...openapi({}), openapi: '3.1.0', components: { schemas } });
  const judge = (name: string, value: unknown): readonly string[] =>
    contract
      .validate({ pointer: `/components/schemas/${name}`, schema: true }, value)
      .map(({ instancePointer, keyword }) => `${instancePointer} ${keyword}`);
  expect(judge('Mapped', { kind: 'fish' })).toEqual([' required']);
  expect(judge('Mapped', { kind: 'fish', salt: 1, indoor: true })).toEqual(['/salt type']);
  expect(judge('Named', { kind: 'Fish', salt: true })).toEqual(['/kind const']);
  expect(judge('Mapped', { kind: 'dog' })).toEqual([' oneOf']);
});
