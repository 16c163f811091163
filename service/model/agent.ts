import { filledText, nullable, record, text } from './shape.ts';
import { metadataShape } from './policy.ts';

export interface Agent {
  id: string;
  name: string;
  description: string | null;
  instructions: string | null;
  metadata: Record<string, string> | null;
  createdAt: string;
  createdBy: string;
  modifiedAt: string | null;
  modifiedBy: string | null;
}

export interface AgentInput {
  name: string;
  description?: string | null;
  instructions?: string | null;
  metadata?: Record<string, string> | null;
}

export const agentShape = record(
  { name: filledText, description: nullable(text), instructions: nullable(text), metadata: metadataShape },
  ['name'],
);
