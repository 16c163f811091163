import { filledText, nullable, record, text } from './shape.ts';
import { metadataShape } from './policy.ts';
import type { Stored } from './policy.ts';

export interface Agent extends Stored {
  name: string;
  description: string | null;
  instructions: string | null;
  metadata: Record<string, string> | null;
}

type AgentFields = Pick<Agent, 'description' | 'instructions' | 'metadata'>;

export type AgentInput = Partial<AgentFields> & { name: string };

export const agentShape = record(
  { name: filledText, description: nullable(text), instructions: nullable(text), metadata: metadataShape },
  ['name'],
);
