/**
 * Conversations with a real language model, where one is installed. What it says is hardly worth reading: every promise here
 * holds whatever that is. Everything asked begins with the same system prompt and the same tool, which the engine therefore
 * evaluates once.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeTools } from '../../src/agent/code-tools.ts';
import { Conversation } from '../../src/agent/conversation.ts';
import { toolkit } from '../../src/agent/toolkit.ts';
import { readTool } from '../../src/agent/tools/read.ts';
import { runTurn } from '../../src/agent/turn.ts';
import type { TurnEvent } from '../../src/agent/turn-event.ts';
import { silentLog } from '../../src/base/log.ts';
import { discoverModel } from '../../src/model/discover-model.ts';
import { isJsonObject, type JsonObject, parseJson } from '../../src/model/json-value.ts';
import { textOf, userText } from '../../src/model/message.ts';
import { collectReply } from '../../src/model/reply.ts';
import type { Usage } from '../../src/model/usage.ts';
import { AgentSpeculation } from '../../src/speculation/agent-speculation.ts';
import { CostGovernor } from '../../src/speculation/cost-governor.ts';
import type { SpeculationState } from '../../src/speculation/engine/speculation-state.ts';
import { catalogue } from '../../src/tools/catalogue.ts';
import { AgentTrial, flawsOf, turn } from '../support/agent-trial.ts';
import { runProgram } from '../support/built-program.ts';
import { type EngineRecord, isRealModelHere, RealModel, realModelTitle } from '../support/real-model.ts';
import { ScratchWorkspace } from '../support/scratch-workspace.ts';
import { describeTree } from '../support/tree-hash.ts';
import { calm } from '../support/world.ts';

const files = { 'src/app.ts': 'export const port = 80;\n' };

/** Enough to see a stream, and to be paid for by a processor. */
const maxTokens = 4;

const title = `${realModelTitle}${isRealModelHere() ? '' : ' (not installed)'}`;

describe.skipIf(!isRealModelHere())(title, { timeout: 300_000 }, () => {
  let model: RealModel;
  let trial: AgentTrial;

  beforeAll(async () => {
    model = await RealModel.start();
    const agent = { client: model.client(), model: 'tinyllama', tools: [readTool], maxTokens } as const;
    trial = await AgentTrial.open(files, { agent: { ...agent, contextTokens: 2048, assistance: 'none' } });
  });

  afterAll(async () => {
    await trial?.[Symbol.asyncDispose]();
    await model?.[Symbol.asyncDispose]();
  });

  async function lastRecord(): Promise<EngineRecord> {
    const record = (await model.report()).requests.at(-1);
    if (!record) throw new Error('nothing was asked');
    return record;
  }

  test('a conversation streams, ends and tells what the engine did; said again, it is answered word for word', async () => {
    const talk = async (): Promise<readonly string[]> => {
      const conversation = trial.begin();
      const answers: string[] = [];
      for (const text of ['What is a port?', 'Which one is common?']) {
        const { events, outcome } = await turn(conversation, text);
        expect(outcome).toMatchObject({ kind: 'answered' });
        const pieces = events.flatMap((event) => (event.kind === 'text' ? [event.text] : []));
        const answer = events.find((event) => event.kind === 'answer');
        expect(pieces.length).toBeGreaterThan(1);
        expect(answer?.kind === 'answer' && textOf(answer.message)).toBe(pieces.join(''));
        expect(conversation.history.usage).toEqual(usageOf(await lastRecord()));
        answers.push(pieces.join(''));
      }
      expect(flawsOf(conversation.history.messages)).toEqual([]);
      expect(conversation.history.messages).toHaveLength(4);
      return answers;
    };
    expect(await talk()).toEqual(await talk());
  });

  test('a fork evaluates next to nothing of its prefix again, nor does the turn after it', async () => {
    const conversation = trial.begin();
    await turn(conversation, 'What is a port?');
    const prefixTokens = conversation.history.usage.input;
    const fork = conversation.fork({ guards: [], commands: conversation.setup.commands });
    await turn(fork, 'Say it again.');
    expect(cachedTokens(fork.history.usage) / prefixTokens).toBeGreaterThanOrEqual(0.95);
    await turn(conversation, 'Which one is common?');
    expect(cachedTokens(conversation.history.usage) / prefixTokens).toBeGreaterThanOrEqual(0.95);
    // What differs early is evaluated from there on: the count is no mere echo of the prompt.
    const other = Conversation.begin({ ...trial.parts(), opening: '' });
    await turn(other, 'What is a port?');
    expect(cachedTokens(other.history.usage)).toBeGreaterThan(0);
    expect(cachedTokens(other.history.usage) / prefixTokens).toBeLessThan(0.95);
  });

  test('a turn that is interrupted closes its connection, and the engine generates nothing more', async () => {
    const parts = trial.parts();
    const conversation = Conversation.begin({ ...parts, agent: { ...parts.agent, maxTokens: 400 } });
    const stop = new AbortController();
    const events: TurnEvent[] = [];
    const input = [{ kind: 'text', text: 'Tell me a long story about a port and its ships.' }] as const;
    for await (const event of runTurn(conversation, input, {}, stop.signal)) {
      events.push(event);
      if (events.length === 3) stop.abort();
    }
    expect(events.at(-1)).toEqual({ kind: 'done', outcome: { kind: 'interrupted' } });
    expect(flawsOf(conversation.history.messages)).toEqual([]);
    const { generatedTokens } = await model.report();
    const record = await lastRecord();
    expect(record.end).toBe('left');
    expect(record.generatedTokens).toBeLessThan(200);
    expect(record.generatedAfterLeft).toBeLessThanOrEqual(1);
    expect((await model.report()).generatedTokens).toBe(generatedTokens);
  });

  test('what is worked ahead is asked on the same prefix, and leaves no file and no message', async () => {
    const conversation = trial.begin();
    const { outcome } = await turn(conversation, 'What is a port?');
    const prefixTokens = conversation.history.usage.input;
    const before = [await describeTree(trial.scratch.workspace.root), conversation.history.messages];
    const asked = (await model.report()).requests.length;
    await using ahead = workAhead(conversation);
    const states: SpeculationState[] = [];
    ahead.subscribe(({ state }) => states.push(state));
    if (outcome) ahead.begin(outcome);
    await ahead.settled();
    expect(['silent', 'ready']).toContain(states.at(-1)?.kind);
    const guess = (await model.report()).requests[asked];
    expect((guess?.cachedTokens ?? 0) / prefixTokens).toBeGreaterThanOrEqual(0.95);
    expect([await describeTree(trial.scratch.workspace.root), conversation.history.messages]).toEqual(before);
  });

  test('the program asks a question of it and, as another process, goes on with the same bytes', async () => {
    const others = toolkit(codeTools(catalogue), { assistance: 'full' }).filter((tool) => tool !== readTool);
    const settings = {
      model: { maxTokens, contextTokens: 2048 },
      tools: Object.fromEntries(others.map(({ name }) => [name, false])),
    };
    await using scratch = await ScratchWorkspace.create(files);
    await using home = await ScratchWorkspace.create({
      'config/forerun/settings.json': JSON.stringify(settings),
    });
    const env = {
      HOME: home.workspace.root,
      XDG_CONFIG_HOME: home.at('config'),
      XDG_STATE_HOME: home.at('state'),
      FORERUN_MODEL: 'openai-compatible/tinyllama',
      FORERUN_BASE_URL: model.url,
    };
    const ask = async (...words: readonly string[]): Promise<JsonObject> => {
      const run = await runProgram(['chat', '--json', ...words], { cwd: scratch.workspace.root, env });
      const reported = run.stdout.trim().split('\n').map(parseJson).filter(isJsonObject);
      expect(run).toMatchObject({ code: 0, stderr: '' });
      expect(reported.some(({ kind }) => kind === 'text')).toBe(true);
      expect(reported.at(-1)).toMatchObject({ kind: 'result', outcome: 'answered', changed: [] });
      return reported.at(-1) ?? {};
    };
    const first = await ask('-p', 'What is a port?');
    const { promptTokens, cachedTokens: cached, generatedTokens } = await lastRecord();
    expect(first.usage).toMatchObject({ input: promptTokens, cachedInput: cached, output: generatedTokens });
    await ask('--resume', '-p', 'Which one is common?');
    expect((await lastRecord()).cachedTokens / promptTokens).toBeGreaterThanOrEqual(0.95);
  });

  test('it is found by its address, and what it cannot hold is told as such', async () => {
    const options = { wish: { baseUrl: model.url }, env: {}, keys: {} };
    const found = await discoverModel(options, calm);
    expect(found).toMatchObject({ provider: 'openai-compatible', model: 'tinyllama' });
    const { outcome } = await turn(trial.begin(), 'far too much '.repeat(1000));
    expect(outcome).toMatchObject({ kind: 'failed', failure: { code: 'model/context-too-long' } });
  });

  test('whoever does not want a stream gets the same answer in one piece', async () => {
    const { agent } = trial.parts();
    const request = {
      model: agent.model,
      system: 'Be brief.',
      tools: [],
      messages: [userText('What is a port?')],
      sampling: agent.sampling,
      maxTokens,
    };
    const streamed = await collectReply(agent.client.stream(request, calm));
    const response = await fetch(`${model.url}/v1/chat/completions`, {
      method: 'POST',
      body: agent.client.dialect.body(request).replace('"stream":true', '"stream":false'),
    });
    expect(await response.json()).toMatchObject({
      choices: [{ message: { role: 'assistant', content: textOf(streamed.message) } }],
      usage: { prompt_tokens: streamed.usage.input, completion_tokens: streamed.usage.output },
    });
  });
});

function usageOf({ promptTokens, cachedTokens: cachedInput, generatedTokens }: EngineRecord): Usage {
  return { input: promptTokens, cachedInput, cacheWrite: 0, output: generatedTokens };
}

/** A provider that does not say has served nothing. */
function cachedTokens({ cachedInput = 0 }: Usage): number {
  return cachedInput;
}

function workAhead(conversation: Conversation): AgentSpeculation {
  return new AgentSpeculation({
    conversation,
    openCommands: () => ({
      run: (request, signal) => conversation.setup.commands.run(request, signal),
      [Symbol.asyncDispose]: async () => {},
    }),
    governor: new CostGovernor({ past: [], dailyTokens: Number.POSITIVE_INFINITY, price: 'free' }),
    interaction: 'interactive',
    depth: 1,
    log: silentLog,
  });
}
