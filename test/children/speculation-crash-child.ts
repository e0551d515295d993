/**
 * Accepts a speculation in the directory it is given, on the model at the address it is given, and kills itself
 * before step number `fatal` of the commit; without one it finishes and prints how many steps there were.
 */
import { basename, dirname } from 'node:path';
import { Conversation } from '../../src/agent/conversation.ts';
import { PermissionGuard } from '../../src/agent/permission/permission-guard.ts';
import { toolkit } from '../../src/agent/toolkit.ts';
import { runTurn } from '../../src/agent/turn.ts';
import { silentLog } from '../../src/base/log.ts';
import { commitOverlay } from '../../src/overlay/commit/commit.ts';
import { Overlay } from '../../src/overlay/overlay.ts';
import { AgentSpeculation } from '../../src/speculation/agent-speculation.ts';
import { CostGovernor } from '../../src/speculation/cost-governor.ts';
import { Transcript } from '../../src/storage/transcript.ts';
import { Baseline } from '../../src/workspace/baseline.ts';
import { DiskSource } from '../../src/workspace/disk-source.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import { CommittedFiles } from '../support/committed-files.ts';
import { greedySampling } from '../support/greedy-sampling.ts';
import { scriptedClient } from '../support/scripted-provider-client.ts';

/** What is said, and what is then suggested. */
export const crashInputs = { first: 'What is the port?', suggested: 'use port 8080' } as const;

async function main([root = '', url = '', transcript = '', fatal = '0']: readonly string[]): Promise<void> {
  const signal = new AbortController().signal;
  const workspace = await Workspace.open(root);
  let steps = 0;
  const onStep = (): void => {
    steps += 1;
    if (steps === Number(fatal)) process.kill(process.pid, 'SIGKILL');
  };
  const files = new CommittedFiles({
    begin: () => Overlay.on(new Baseline(new DiskSource(workspace))),
    commit: (overlay, together) => {
      const options = {
        durability: 'power',
        onConflict: 'refuse',
        onStep,
        ...together,
        stateDirectory: dirname(transcript),
      } as const;
      return commitOverlay(workspace, overlay, options, signal);
    },
  });
  const commands = { run: async () => ({ kind: 'boundary', rule: 'none', why: 'There are none.' }) as const };
  await using conversation = Conversation.begin({
    agent: {
      client: scriptedClient({ url }, 'openai'),
      model: 'scripted',
      sampling: greedySampling,
      maxTokens: 1024,
      contextTokens: 32_768,
      tools: toolkit([], { assistance: 'none' }),
      assistance: 'none',
      log: silentLog,
    },
    roots: [{ name: basename(root), workspace, files }],
    permissions: new PermissionGuard({ mode: 'acceptEdits', allow: [], deny: [] }),
    commands,
    opening: '',
    kept: { id: 'crash', transcript: new Transcript(transcript) },
  });
  await using speculation = new AgentSpeculation({
    conversation,
    openCommands: () => ({ ...commands, [Symbol.asyncDispose]: async () => {} }),
    governor: new CostGovernor({ past: [], dailyTokens: 1e9, price: 'free' }),
    interaction: 'interactive',
    depth: 1,
    log: silentLog,
  });
  for await (const event of runTurn(conversation, [{ kind: 'text', text: crashInputs.first }], {}, signal)) {
    if (event.kind === 'done') speculation.begin(event.outcome);
  }
  await speculation.settled();
  const entry = await speculation.enter(crashInputs.suggested, signal);
  process.stdout.write(JSON.stringify({ entry: entry.kind, steps }));
}

if (process.argv[1] === import.meta.filename) await main(process.argv.slice(2));
