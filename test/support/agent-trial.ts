/**
 * An agent at work in a scratch workspace, on a model that says what the test wrote down.
 *
 * Invariant: files are committed as for a user; only the model and the commands are not real.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Agent } from '../../src/agent/agent.ts';
import type { AgentContext, AgentTool } from '../../src/agent/agent-context.ts';
import type { CommandRunner } from '../../src/agent/command-runner.ts';
import { Conversation, type ConversationParts } from '../../src/agent/conversation.ts';
import { type AgentRoot, type Roots, viewsOf } from '../../src/agent/files/agent-root.ts';
import { ReadCache } from '../../src/agent/files/read-cache.ts';
import { PermissionGuard, type PermissionOptions } from '../../src/agent/permission/permission-guard.ts';
import { openingOf } from '../../src/agent/system-prompt.ts';
import { toolkit } from '../../src/agent/toolkit.ts';
import { runTurn } from '../../src/agent/turn.ts';
import type { TurnEvent, TurnOutcome } from '../../src/agent/turn-event.ts';
import { silentLog } from '../../src/base/log.ts';
import { type AssistantMessage, type Message, toolCallsOf } from '../../src/model/message.ts';
import type { ProviderName } from '../../src/model/provider.ts';
import { commitOverlay } from '../../src/overlay/commit/commit.ts';
import { Overlay } from '../../src/overlay/overlay.ts';
import { TranscriptStore } from '../../src/storage/transcript-store.ts';
import type { Ask } from '../../src/tools/guard.ts';
import { contentOf, type ToolResult } from '../../src/tools/tool-result.ts';
import { Baseline } from '../../src/workspace/baseline.ts';
import { DiskSource } from '../../src/workspace/disk-source.ts';
import type { Workspace } from '../../src/workspace/workspace.ts';
import { testState } from './commit-state.ts';
import { CommittedFiles } from './committed-files.ts';
import { greedySampling } from './greedy-sampling.ts';
import { ScratchWorkspace } from './scratch-workspace.ts';
import { ScriptedProvider } from './scripted-provider.ts';
import { scriptedClient } from './scripted-provider-client.ts';
import { calm } from './world.ts';

export interface TrialOptions {
  readonly provider?: ProviderName;
  readonly agent?: Partial<Agent>;
  readonly permissions?: Partial<PermissionOptions> & { readonly ask?: Ask };
  readonly parts?: Partial<Pick<ConversationParts, 'judge' | 'commands'>>;
}

export class AgentTrial implements AsyncDisposable {
  readonly scratch: ScratchWorkspace;
  readonly provider: ScriptedProvider;
  readonly shelf: TranscriptStore;
  readonly #state: string;
  readonly #options: TrialOptions;
  readonly #kept: Conversation[] = [];

  private constructor(
    scratch: ScratchWorkspace,
    provider: ScriptedProvider,
    state: string,
    options: TrialOptions,
  ) {
    this.scratch = scratch;
    this.provider = provider;
    this.#state = state;
    this.shelf = new TranscriptStore(state, scratch.workspace.root);
    this.#options = options;
  }

  static async open(
    files: Readonly<Record<string, string | Uint8Array>>,
    options: TrialOptions = {},
  ): Promise<AgentTrial> {
    const scratch = await ScratchWorkspace.create(files);
    const state = await mkdtemp(join(tmpdir(), 'forerun-agent-state-'));
    return new AgentTrial(scratch, await ScriptedProvider.open(), state, options);
  }

  /** What a conversation is made of, without a place it is kept. */
  parts(): ConversationParts {
    const { provider = 'openai', agent = {}, permissions = {}, parts = {} } = this.#options;
    const { ask, ...rules } = permissions;
    const roots = liveRoots(this.scratch.workspace, this.#state);
    return {
      agent: {
        client: scriptedClient(this.provider, provider),
        model: 'scripted',
        sampling: greedySampling,
        maxTokens: 1024,
        contextTokens: 32_768,
        tools: toolkit([], { assistance: 'full' }),
        assistance: 'full',
        log: silentLog,
        ...agent,
      },
      roots,
      permissions: new PermissionGuard({ mode: 'acceptEdits', allow: [], deny: [], ...rules }),
      ...(ask && { ask }),
      commands: noCommands,
      opening: openingOf({ roots, date: new Date(0), platform: 'test' }),
      ...parts,
    };
  }

  begin(): Conversation {
    return Conversation.begin(this.parts());
  }

  /** A conversation that is kept, new or resumed. */
  async kept(id?: string): Promise<Conversation> {
    const conversation =
      id === undefined
        ? Conversation.begin({ ...this.parts(), kept: this.shelf.create() })
        : await Conversation.resume({ ...this.parts(), kept: { id, transcript: this.shelf.open(id) } });
    this.#kept.push(conversation);
    return conversation;
  }

  read(path: string): Promise<string> {
    return readFile(this.scratch.at(path), 'utf8');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const conversation of this.#kept) await conversation[Symbol.asyncDispose]();
    await this.provider[Symbol.asyncDispose]();
    await this.scratch[Symbol.asyncDispose]();
    await rm(this.#state, { recursive: true, force: true });
  }
}

export interface Heard {
  readonly events: readonly TurnEvent[];
  readonly outcome: TurnOutcome | undefined;
}

/** Lives through a turn to its end. */
export async function turn(
  conversation: Conversation,
  text: string,
  signal: AbortSignal = calm,
): Promise<Heard> {
  const events: TurnEvent[] = [];
  for await (const event of runTurn(conversation, [{ kind: 'text', text }], {}, signal)) events.push(event);
  const last = events.at(-1);
  return { events, outcome: last?.kind === 'done' ? last.outcome : undefined };
}

/** Journals lie in the state directory of the conversation's record: a commit believes no record elsewhere. */
export function liveRoots(
  workspace: Workspace,
  stateDirectory: string = testState.stateDirectory,
): Roots<AgentRoot> {
  const disk = new DiskSource(workspace);
  const files = new CommittedFiles({
    begin: () => Overlay.on(new Baseline(disk)),
    commit: (overlay, together, signal) =>
      commitOverlay(
        workspace,
        overlay,
        { durability: 'process', onConflict: 'refuse', stateDirectory, ...together },
        signal,
      ),
  });
  return [{ name: basename(workspace.root), workspace, files }];
}

/** What a single tool sees of a workspace. */
export function toolContext(
  roots: Roots<AgentRoot>,
  reads: ReadCache = new ReadCache(),
  commands: CommandRunner = noCommands,
): AgentContext {
  return {
    callId: '1',
    roots: viewsOf(roots),
    reads,
    commands,
    code: undefined,
    hides: () => false,
    setTodos: async () => {},
  };
}

/** Calls one tool and answers its result and its text; what it refuses is thrown. */
export async function use(
  tool: AgentTool,
  context: AgentContext,
  input: Parameters<AgentTool['prepare']>[0],
): Promise<ToolResult & { readonly text: string }> {
  const result = await tool.prepare(input).run(context, calm);
  return { ...result, text: contentOf(result).join('\n') };
}

/** What is wrong with a sequence of messages, in words; nothing where it is sound. */
export function flawsOf(messages: readonly Message[]): readonly string[] {
  const flaws: string[] = [];
  if (messages.length > 0 && messages[0]?.role !== 'user') flaws.push('it does not begin with the user');
  for (const [index, message] of messages.entries()) {
    const next = messages[index + 1];
    if (next?.role === message.role) flaws.push(`${index}: ${message.role} speaks twice`);
    if (message.content.length === 0) flaws.push(`${index}: nothing is said`);
    if (message.role === 'assistant')
      flaws.push(...unanswered(message, next).map((id) => `${index}: ${id} has no answer`));
  }
  return flaws;
}

function unanswered(message: AssistantMessage, next: Message | undefined): readonly string[] {
  const answered = (next?.content ?? []).flatMap((part) => (part.kind === 'tool-result' ? [part.id] : []));
  return toolCallsOf(message).flatMap(({ id }) =>
    answered.filter((each) => each === id).length === 1 ? [] : [id],
  );
}

const noCommands: CommandRunner = {
  run: async () => ({ kind: 'boundary', rule: 'none', why: 'There are no commands here.' }),
};
