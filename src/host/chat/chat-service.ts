/**
 * The conversations of one workspace, with everything they need.
 *
 * Invariants: one conversation is open at a time; opening another ends the speculation of the previous one, closes
 * its transcript and disposes its connection. The service owns the files it opens and closes them when it is
 * disposed.
 */
import { basename } from 'node:path';
import type { Agent } from '../../agent/agent.ts';
import type { AgentTool } from '../../agent/agent-context.ts';
import { codeTools } from '../../agent/code-tools.ts';
import { Conversation, type ConversationParts } from '../../agent/conversation.ts';
import { titleOf } from '../../agent/conversation-record.ts';
import type { AgentFiles } from '../../agent/files/agent-files.ts';
import type { AgentRoot, Roots } from '../../agent/files/agent-root.ts';
import { PermissionGuard } from '../../agent/permission/permission-guard.ts';
import { parseRule } from '../../agent/permission/permission-rule.ts';
import { SandboxedCommands } from '../../agent/sandboxed-commands.ts';
import { openingOf } from '../../agent/system-prompt.ts';
import { toolkit } from '../../agent/toolkit.ts';
import type { Log } from '../../base/log.ts';
import type { Settings } from '../../config/settings.ts';
import type { WorkspaceView } from '../../live/workspace-view.ts';
import type { FoundModel } from '../../model/discover-model.ts';
import { isLoopback } from '../../model/model-endpoint.ts';
import { tokenPrices } from '../../model/token-price.ts';
import { AgentSpeculation } from '../../speculation/agent-speculation.ts';
import { CostGovernor } from '../../speculation/cost-governor.ts';
import { OutcomeLog } from '../../storage/outcome-log.ts';
import { TranscriptStore } from '../../storage/transcript-store.ts';
import type { FilePatch } from '../../text/unified-diff.ts';
import { catalogue } from '../../tools/catalogue.ts';
import type { Ask } from '../../tools/guard.ts';
import { environmentOutside } from '../../workspace/outside-environment.ts';
import { extentOf } from '../../workspace/supplied-path.ts';
import type { Trust } from '../../workspace/trust.ts';
import { Connection } from '../connection.ts';
import type { Forerun } from '../forerun.ts';
import { ChatCommands } from './chat-commands.ts';
import { ChatFiles } from './chat-files.ts';
import { ChatHistory } from './chat-history.ts';
import type { ChatHost, ConversationWish, KnownConversation, OpenChat } from './chat-host.ts';
import { ServerJudge } from './chat-judge.ts';
import { chatPaths } from './chat-paths.ts';
import { WorkspaceShell } from './chat-shell.ts';
import { instructionsIn } from './project-instructions.ts';
import {
  dayMs,
  readStatistics,
  rememberedDays,
  type SpeculationStatistics,
} from './speculation-statistics.ts';

export interface ChatServiceOptions {
  readonly directory: string;
  readonly settings: Settings;
  /** Finds a model; without a name, the one of the settings. */
  readonly find: (name: string | undefined, signal: AbortSignal) => Promise<FoundModel>;
  /** Speculation runs only for an interactive user. */
  readonly interaction: 'interactive' | 'none';
  /** The editor that the agent works in; absent: it works on the files of the disk. */
  readonly editor?: AgentEditor;
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
}

/** An editor with an agent in it. Its user decides about every edit, so edits need no permission. */
export interface AgentEditor {
  readonly files: AgentFiles;
  /** What the agent can do in it, beside the tools that it has everywhere. */
  readonly tools: readonly AgentTool[];
  /** Whether the agent sees text that is not on disk; its commands then run in a sandbox that shows it. */
  readonly hasUnwritten: () => boolean;
}

export class ChatService implements ChatHost, AsyncDisposable {
  /** The inputs typed in this workspace, in this chat and earlier ones. */
  readonly history: ChatHistory;
  readonly #forerun: Forerun;
  readonly #open: WorkspaceView;
  readonly #options: ChatServiceOptions;
  readonly #instructions: string | undefined;
  readonly #transcripts: TranscriptStore;
  readonly #outcomes: OutcomeLog;
  readonly #files: ChatFiles;
  #found: FoundModel | undefined;
  /** The governor of the open conversation; its spending is carried over to the next one. */
  #governor: CostGovernor | undefined;
  #current: OwnedChat | undefined;

  private constructor(
    forerun: Forerun,
    options: ChatServiceOptions,
    { open, instructions }: { readonly open: WorkspaceView; readonly instructions: string | undefined },
  ) {
    const { env, log } = options;
    const paths = chatPaths(env, open.workspace.root);
    this.#forerun = forerun;
    this.#options = options;
    this.#open = open;
    this.#instructions = instructions;
    this.#transcripts = new TranscriptStore(paths.state, open.workspace.root);
    this.#outcomes = new OutcomeLog({ path: paths.outcomes, log });
    this.#files = new ChatFiles(open.live);
    this.history = new ChatHistory(paths.history, log);
  }

  static async open(
    forerun: Forerun,
    options: ChatServiceOptions,
    signal: AbortSignal,
  ): Promise<ChatService> {
    const open = await forerun.workspaces.open(options.directory, signal);
    const instructions = await instructionsIn(open.workspace.root);
    return new ChatService(forerun, options, { open, instructions });
  }

  get root(): string {
    return this.#open.workspace.root;
  }

  /** Whether the workspace may run its own programs, as of now. */
  get trust(): Trust {
    return this.#open.live.trust;
  }

  async open(wish: ConversationWish, ask: Ask | undefined, signal: AbortSignal): Promise<OpenChat> {
    const { find } = this.#options;
    const found = wish.kind === 'model' ? await find(wish.name, signal) : await this.findModel(signal);
    const before = this.#current?.conversation;
    const kept = this.#keptFor(await this.#idOf(wish));
    await this.#close(kept.claim);
    this.#found = found;
    const connection = this.#connect();
    const sandbox = this.#openSandbox();
    try {
      const parts = this.#parts(found, { connection, sandbox, ask, before });
      const conversation = await kept.open(parts);
      const ahead = await this.#ahead(conversation, found);
      this.#current = { conversation, connection, sandbox, claim: kept.claim, ...(ahead && { ahead }) };
      return this.#current;
    } catch (thrown) {
      kept.claim[Symbol.dispose]();
      await sandbox[Symbol.asyncDispose]();
      await connection[Symbol.asyncDispose]();
      throw thrown;
    }
  }

  /** The model of the next conversation; looked for once. */
  async findModel(signal: AbortSignal): Promise<FoundModel> {
    this.#found ??= await this.#options.find(undefined, signal);
    return this.#found;
  }

  /** Looks for a model again with the next conversation: the one that was found may be gone. */
  forgetModel(): void {
    this.#found = undefined;
  }

  async list(): Promise<readonly KnownConversation[]> {
    const store = this.#transcripts;
    const known = (await store.list()).slice(0, mostListed);
    const titled = known.map(async ({ id, modifiedAt }) => {
      const title = titleOf(await store.open(id).read());
      return title === undefined ? [] : [{ id, title, modifiedAt }];
    });
    return (await Promise.all(titled)).flat();
  }

  changes(): Promise<readonly FilePatch[]> {
    return this.#files.total();
  }

  undo(signal: AbortSignal): Promise<string> {
    return this.#files.undo(signal);
  }

  async stats(): Promise<SpeculationStatistics> {
    const { env, settings } = this.#options;
    const { dailyTokens } = settings.speculation;
    const now = new Date();
    // Reading the log flushes its pending records.
    await this.#outcomes.since(now);
    return readStatistics({ days: rememberedDays, env, now, root: this.root, dailyTokens });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
    await this.history[Symbol.asyncDispose]();
    await this.#outcomes[Symbol.asyncDispose]();
  }

  /** The claim `goingOn` is the next conversation's too, and stays. */
  async #close(goingOn?: Disposable): Promise<void> {
    const current = this.#current;
    this.#current = undefined;
    await current?.ahead?.[Symbol.asyncDispose]();
    await current?.conversation[Symbol.asyncDispose]();
    await current?.sandbox[Symbol.asyncDispose]();
    await current?.connection[Symbol.asyncDispose]();
    if (current?.claim !== goingOn) current?.claim[Symbol.dispose]();
  }

  /** The id of the requested conversation; undefined for a new one. */
  async #idOf(wish: ConversationWish): Promise<string | undefined> {
    const store = this.#transcripts;
    if (wish.kind === 'begin') return undefined;
    if (wish.kind === 'model') {
      const { conversation } = this.#current ?? {};
      return conversation && conversation.history.messages.length > 0 ? conversation.id : undefined;
    }
    if (wish.id !== undefined) return (await store.find(wish.id)).id;
    return (await store.list())[0]?.id;
  }

  /** Claims a conversation, a new one without an id, before the open one is closed: a refusal changes nothing. */
  #keptFor(id: string | undefined): KeptConversation {
    const store = this.#transcripts;
    if (id === undefined) {
      const kept = store.create();
      const open = async (parts: ConversationParts) => Conversation.begin({ ...parts, kept });
      return { claim: store.claim(kept.id), open };
    }
    const current = this.#current;
    const claim = current?.conversation.id === id ? current.claim : store.claim(id);
    const open = (parts: ConversationParts) =>
      Conversation.resume({ ...parts, kept: { id, transcript: store.open(id) } });
    return { claim, open };
  }

  /** What the user allowed or chose in the previous conversation also holds in the next one. */
  #parts(
    found: FoundModel,
    { connection: served, sandbox, ask, before }: ConversationNeeds,
  ): ConversationParts {
    const { settings, editor, env, log } = this.#options;
    const open = this.#open;
    const instructions = this.#instructions;
    const { mode, allow, deny } = settings.permissions;
    const roots = this.#roots();
    const connection = {
      documents: served.documents,
      client: 'forerun chat',
      setLogLevel: () => {},
      progress: () => {},
    };
    return {
      agent: agentOf(found, settings, { tools: editor?.tools ?? [], log }),
      roots,
      permissions: new PermissionGuard({
        mode: before?.setup.permissions.mode ?? mode,
        allow: before?.setup.permissions.allowed ?? allow.map(parseRule),
        deny: deny.map(parseRule),
        ...(editor && { edits: 'proposed' }),
      }),
      ...(ask && { ask }),
      commands: new ChatCommands({
        disk: new WorkspaceShell(() => shellEnvironment(open, env)),
        sandbox,
        hasUnwritten: editor?.hasUnwritten ?? (() => false),
      }),
      code: { context: { ...served.context, connection }, tools: served.tools, guards: served.guards },
      judge: new ServerJudge(this.#forerun.evaluatorOf(open.live)),
      opening: openingOf({
        roots,
        date: new Date(),
        platform: process.platform,
        ...(instructions !== undefined && { instructions }),
      }),
    };
  }

  #connect(): Connection {
    const { log } = this.#options;
    return new Connection(this.#forerun, {
      log,
      skills: async () => [],
      toolset: 'full',
      sessions: 'memory',
    });
  }

  #roots(): Roots<AgentRoot> {
    const { workspace } = this.#open;
    const files = this.#options.editor?.files ?? this.#files;
    return [{ name: basename(workspace.root), workspace, files }];
  }

  /** A place for commands that must not reach the disk; nothing is started before the first of them. */
  #openSandbox(): SandboxedCommands {
    const { env, log } = this.#options;
    const { trust, tiers } = this.#forerun.workspaces.user;
    return new SandboxedCommands({ env, log, trust, tiers });
  }

  async #ahead(conversation: Conversation, found: FoundModel): Promise<AgentSpeculation | undefined> {
    const { interaction, settings, env, log } = this.#options;
    if (interaction === 'none') return undefined;
    const outcomes = this.#outcomes;
    const { depth, dailyTokens, sessionTokens } = settings.speculation;
    const past = await outcomes.since(new Date(Date.now() - rememberedDays * dayMs));
    const governor = new CostGovernor({
      past,
      workspace: chatPaths(env, this.root).workspace,
      sessionTokens,
      spent: this.#governor?.spent ?? 0,
      dailyTokens,
      price: isLoopback(found.address) ? 'free' : 'metered',
      prices: tokenPrices(found),
      isIdle: () => !conversation.isOccupied,
    });
    this.#governor = governor;
    return new AgentSpeculation({
      conversation,
      openCommands: () => this.#openSandbox(),
      governor,
      outcomes,
      interaction,
      depth,
      log,
    });
  }
}

/** A conversation with everything that is disposed with it. */
interface OwnedChat extends OpenChat {
  readonly connection: Connection;
  readonly sandbox: SandboxedCommands;
  /** No other process may open the conversation. */
  readonly claim: Disposable;
  readonly ahead?: AgentSpeculation;
}

/** A claimed conversation that is about to be opened. */
interface KeptConversation {
  readonly claim: Disposable;
  readonly open: (parts: ConversationParts) => Promise<Conversation>;
}

interface ConversationNeeds {
  readonly connection: Connection;
  readonly sandbox: SandboxedCommands;
  readonly ask: Ask | undefined;
  /** The previously open conversation. */
  readonly before: Conversation | undefined;
}

/** Titles are read from whole transcripts, so their number is limited. */
const mostListed = 50;

function agentOf(
  { client, model, provider, capability }: FoundModel,
  settings: Settings,
  { tools: others, log }: { readonly tools: readonly AgentTool[]; readonly log: Log },
): Agent {
  const { temperature, thinking, maxTokens } = settings.model;
  // The large hosted models call tools reliably without assistance.
  const assistance = provider === 'anthropic' || provider === 'openai' ? 'none' : 'full';
  const tools = toolkit([...codeTools(catalogue), ...others], { assistance });
  return {
    client,
    model,
    sampling: { temperature, thinking },
    maxTokens,
    contextTokens: capability.contextTokens,
    tools: tools.filter(({ name }) => settings.tools[name] !== false),
    assistance,
    log,
  };
}

/** A user who allows `ls` means the program of the machine, not one that the workspace puts on the search path. */
function shellEnvironment({ workspace, live }: WorkspaceView, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return live.trust === 'trusted' ? env : environmentOutside(env, extentOf(workspace.root, env));
}
