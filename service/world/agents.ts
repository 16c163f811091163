import type { Agent, AgentInput } from '../model/agent.ts';
import type { Journal } from './table.ts';
import { Table } from './table.ts';

export class Agents extends Table<Agent> {
  constructor(journal: Journal) {
    super('agents', journal);
  }

  create(id: string, input: AgentInput, userId: string): Agent {
    const agent: Agent = {
      id,
      name: input.name,
      description: input.description ?? null,
      instructions: input.instructions ?? null,
      metadata: input.metadata === undefined ? {} : input.metadata,
      createdAt: new Date().toISOString(),
      createdBy: userId,
      modifiedAt: null,
      modifiedBy: null,
    };
    this.set(id, agent);
    return agent;
  }
}
