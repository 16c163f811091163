import { expect, test } from 'vitest';
import { loadSchemas } from '../../testing/description-file.ts';

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
  const { judge } = await loadSchemas(schemas, '3.1.0');
  expect(judge('Mapped', { kind: 'fish' })).toEqual([' required']);
  expect(judge('Mapped', { kind: 'fish', salt: 1, indoor: true })).toEqual(['/salt type']);
  expect(judge('Named', { kind: 'Fish', salt: true })).toEqual(['/kind const']);
  expect(judge('Mapped', { kind: 'dog' })).toEqual([' oneOf']);
});
