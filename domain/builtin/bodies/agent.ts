import type { BodyKind } from './domain-generator.ts';
import { field, members, size, textMap } from './fields.ts';

const name = field('agent name', 1);
const description = field('agent description');
const instructions = field('agent instructions');

export const agentKind: BodyKind = {
  make: (draw) =>
    members(
      draw,
      { name: name(draw) },
      {
        description: () => description(draw),
        instructions: () => instructions(draw),
        metadata: () => textMap(draw, size(draw, 'agent metadata', 260)),
      },
      ['description', 'instructions', 'metadata'],
    ),
};
