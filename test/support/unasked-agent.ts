/** An agent whose model address has no listener, for tests in which the model is never called. */
import type { Agent } from '../../src/agent/agent.ts';
import { silentLog } from '../../src/base/log.ts';
import { greedySampling } from './greedy-sampling.ts';
import { scriptedClient } from './scripted-provider-client.ts';

export const unaskedAgent: Agent = {
  client: scriptedClient({ url: 'http://127.0.0.1:9' }, 'openai'),
  model: 'none',
  sampling: greedySampling,
  maxTokens: 100,
  contextTokens: 10_000,
  tools: [],
  assistance: 'none',
  log: silentLog,
};
