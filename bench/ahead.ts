/** `npm run bench -- ahead`: what it costs to accept, to reject and to work ahead at all. */

import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Conversation } from '../src/agent/conversation.ts';
import { mergeFork } from '../src/agent/fork-merge.ts';
import { PermissionGuard } from '../src/agent/permission/permission-guard.ts';
import { silentLog } from '../src/base/log.ts';
import { userText } from '../src/model/message.ts';
import { commitOverlay } from '../src/overlay/commit/commit.ts';
import { Overlay } from '../src/overlay/overlay.ts';
import { acceptRun } from '../src/speculation/acceptance.ts';
import { SpeculativeFiles } from '../src/speculation/speculative-files.ts';
import { Baseline } from '../src/workspace/baseline.ts';
import { mapConcurrently } from '../src/workspace/concurrency.ts';
import { DiskSource } from '../src/workspace/disk-source.ts';
import { Workspace } from '../src/workspace/workspace.ts';
import { testState } from '../test/support/commit-state.ts';
import { CommittedFiles } from '../test/support/committed-files.ts';
import { greedySampling } from '../test/support/greedy-sampling.ts';
import { scriptedClient } from '../test/support/scripted-provider-client.ts';
import { SpeculationTrial } from '../test/support/speculation-trial.ts';
import { simulate } from './ahead-simulation.ts';
import type { Bench, Line } from './bench.ts';
import { ScratchFiles } from './support/bench-workspace.ts';
import { measurementOf, type Sampler, sampleInTurn, timed } from './support/measurement.ts';

export const bench: Bench = {
  name: 'ahead',
  claim:
    'a keystroke ends a speculation at once, and what is accepted is there in the time it takes to commit it; the conversations are simulated',
  goal: { kind: 'none' },
  async *run(context, signal) {
    for (const count of [1, 100, 1000]) {
      context.progress(`accepting ${count} files`);
      yield await acceptance(count, signal);
    }
    context.progress('rejecting');
    yield await rejection();
    for (const percent of [25, 50, 75]) {
      context.progress(`simulating a conversation in which ${percent} % of the suggestions are accepted`);
      yield await simulation(percent, signal);
    }
  },
};

const plan = { warmUp: 1, rounds: 7 } as const;

/** From the user's Enter to files and messages being there: checking what was read, journal, swap, messages. */
async function acceptance(count: number, signal: AbortSignal): Promise<Line> {
  const samples = plan.warmUp + plan.rounds;
  const trees = Array.from({ length: samples }, (_, round) => [`ours-${round}`, `beside-${round}`]).flat();
  const forest = trees.flatMap((tree) =>
    [...files(count, -1)].map(([path, text]) => [`${tree}/${path}`, text] as const),
  );
  await using scratch = await ScratchFiles.write('ahead', new Map(forest));
  const ours: Sampler = async (round) => {
    const run = await readyRun(join(scratch.root, `ours-${round}`), files(count, round));
    return timed(async () => {
      const landing = await acceptRun(run, signal);
      if (landing.kind !== 'committed') throw new Error(`the acceptance ended as ${landing.kind}`);
    });
  };
  const beside: Sampler = (round) =>
    timed(() =>
      mapConcurrently([...files(count, round)], 16, ([path, text]) =>
        writeFile(join(scratch.root, `beside-${round}`, path), text),
      ),
    );
  const measured = await sampleInTurn({ ours, beside }, plan, signal);
  return {
    kind: 'measured',
    what: `acceptance of ${count} changed ${count === 1 ? 'file' : 'files'}, all or none`,
    ours: measured.ours,
    beside: { what: 'the files written plainly, 16 at a time', measurement: measured.beside },
  };
}

function files(count: number, round: number): ReadonlyMap<string, string> {
  const body = 'export const line = "a line of ordinary length in a file";\n'.repeat(25);
  return new Map(
    Array.from({ length: count }, (_, at) => [
      `folder-${Math.floor(at / 50)}/file-${at}.ts`,
      `// ${round}\n${body}`,
    ]),
  );
}

/** A speculation that has read and rewritten every file, as it stands before it is accepted. */
async function readyRun(
  root: string,
  texts: ReadonlyMap<string, string>,
): Promise<Parameters<typeof acceptRun>[0]> {
  const workspace = await Workspace.open(root);
  const trunk = conversationIn(workspace);
  await trunk.history.addUserMessage([{ kind: 'text', text: 'Go.' }]);
  await trunk.history.addAssistantMessage({ role: 'assistant', content: [{ kind: 'text', text: 'Done.' }] });
  const conversation = trunk.fork({ guards: [], commands: trunk.setup.commands });
  const [{ files: worked }] = conversation.setup.roots;
  const speculative = SpeculativeFiles.on(worked.overlay());
  const written = [...texts].map(([path, text]) => [workspace.path(path), { kind: 'text', text }] as const);
  for (const [path] of written) await speculative.start.read(path);
  await worked.commit(speculative.start.writeAll(written), {}, new AbortController().signal);
  const messages = [
    userText('rewrite them all'),
    { role: 'assistant', content: [{ kind: 'text', text: 'Done.' }] },
  ] as const;
  await mergeFork(conversation, { messages, seen: [] });
  const [from, onto] = [trunk.history.messages.length, trunk.history.messages.at(-1)];
  const added = { from, onto, messages, files: new Map([[workspace, speculative]]), commands: [] };
  const ended = { kind: 'answered', stop: 'end' } as const;
  return { boundary: { kind: 'complete' }, after: { trunk, conversation, ended, added } };
}

function conversationIn(workspace: Workspace): Conversation {
  const disk = new DiskSource(workspace);
  const live = new CommittedFiles({
    begin: () => Overlay.on(new Baseline(disk)),
    commit: (overlay, together, signal) =>
      commitOverlay(
        workspace,
        overlay,
        { durability: 'process', onConflict: 'refuse', ...testState, ...together },
        signal,
      ),
  });
  return Conversation.begin({
    agent: {
      client: scriptedClient({ url: 'http://127.0.0.1:9' }, 'openai'),
      model: 'none',
      sampling: greedySampling,
      maxTokens: 1024,
      contextTokens: 32_768,
      tools: [],
      assistance: 'none',
      log: silentLog,
    },
    roots: [{ name: basename(workspace.root), workspace, files: live }],
    permissions: new PermissionGuard({ mode: 'acceptEdits', allow: [], deny: [] }),
    commands: { run: async () => ({ kind: 'boundary', rule: 'none', why: 'There are none.' }) },
    opening: '',
  });
}

/** From a keystroke to the model's server seeing its connection closed. */
async function rejection(): Promise<Line> {
  const values: number[] = [];
  const never = new Promise(() => {});
  for (let round = 0; round < 12; round += 1) {
    await using ahead = await SpeculationTrial.open(
      { 'a.ts': '' },
      {
        scenes: {
          'What now?': { rounds: [[{ text: 'Nothing.' }]], suggests: [{ text: 'go on then' }] },
          'go on then': { rounds: [[{ text: 'Well' }, { until: never }]] },
        },
      },
    );
    await ahead.say('What now?');
    await ahead.asked(3);
    const { requests } = ahead.trial.provider;
    const elapsedMs = await timed(async () => {
      ahead.speculation.typed('x');
      await requests[2]?.over;
    });
    if (round > 1) values.push(elapsedMs);
  }
  return {
    kind: 'measured',
    what: 'a keystroke that does not continue the suggestion, until the model’s server sees the connection closed',
    ours: measurementOf(values, 'ms'),
    goal: { kind: 'below', limit: 50 },
  };
}

async function simulation(percent: number, signal: AbortSignal): Promise<Line> {
  const { ahead, plain, inputs, roundMs, readingMs } = await simulate(percent, signal);
  const spent = (tokens: number): string => `${Math.round(tokens / 1000)} thousand tokens`;
  const extra = Math.round((ahead.tokens / plain.tokens - 1) * 100);
  return {
    kind: 'measured',
    what: `simulation, ${percent} % accepted: what a user waits in ${inputs} turns of 3 rounds, ${roundMs} ms each, with ${readingMs} ms of reading between`,
    ours: measurementOf([ahead.waitedMs], 'ms'),
    beside: { what: 'without working ahead', measurement: measurementOf([plain.waitedMs], 'ms') },
    note: `${spent(ahead.tokens)} against ${spent(plain.tokens)} (${extra} % more, ${Math.round(ahead.cachedShare * 100)} % of them from the cache)`,
  };
}
