import { done, ok } from '../http/answer.ts';
import type { Call } from '../http/call.ts';
import { badRequest } from '../http/refusal.ts';
import type { Agent, AgentInput } from '../model/agent.ts';
import { agentShape } from '../model/agent.ts';
import { fit } from '../model/shape.ts';
import { existing, group, userId } from './define.ts';
import { metadataFilter } from './page.ts';

export const agentOperations = group('RACI:management.aiagents', {
  'GET /aiagent': (call) => {
    const fits = metadataFilter(call);
    return ok(call.world.agents.values().filter(({ metadata }) => fits(metadata)));
  },
  'POST /aiagent': (call) => {
    const input = fit<AgentInput>(agentShape, call.body);
    const agent = call.world.agents.create(call.world.random.uuid(), input, userId(call));
    note(call, agent, 'Create');
    return ok(agent);
  },
  'GET /aiagent/{id}': (call) => ok(agentOf(call)),
  'PUT /aiagent/{id}': (call) => {
    const agent = agentOf(call);
    const { name, description = null, instructions = null, metadata = {} } = fit<AgentInput>(agentShape, call.body);
    const modified = { modifiedAt: new Date().toISOString(), modifiedBy: userId(call) };
    call.world.agents.merge(agent.id, { name, description, instructions, metadata, ...modified });
    note(call, agent, 'Update');
    return done();
  },
  'DELETE /aiagent/{id}': (call) => {
    const agent = agentOf(call);
    const job = call.world.jobs.values().find(({ aiAgentId }) => aiAgentId.toLowerCase() === agent.id);
    if (job !== undefined) throw badRequest(`The AI agent is in use by AI job ${job.id}.`);
    call.world.agents.delete(agent.id);
    note(call, agent, 'Delete');
    return done();
  },
});

const agentOf = (call: Call): Agent => existing(call, call.world.agents, 'AI agent');

function note(call: Call, agent: Agent, action: string): void {
  call.world.audit.add('agent', agent.id, agent.name, action, userId(call));
}
