/**
 * The conversations of one workspace, put together from everything they need.
 *
 * Invariant: one conversation is open at a time; opening another ends whatever worked ahead in the one before, closes
 * its record and ends its connection.
 */
import { basename } from 'node:path';
import type { Agent } from '../../agent/agent.ts';
import { codeTools } from '../../agent/code-tools.ts';
import { Conversation, type ConversationParts } from '../../agent/conversation.ts';
import { titleOf } from '../../agent/conversation-record.ts';
import { LiveFiles } from '../../agent/files/agent-files.ts';
import type { AgentRoot, Roots } from '../../agent/files/agent-root.ts';
import { PermissionGuard } from '../../agent/permission/permission-guard.ts';
import { parseRule } from '../../agent/permission/permission-rule.ts';
import { SandboxedCommands } from '../../agent/sandboxed-commands.ts';
import { openingOf } from '../../agent/system-prompt.ts';
import { toolkit } from '../../agent/toolkit.ts';
import type { Log } from '../../base/log.ts';
import type { Settings } from '../../config/settings.ts';
import { LocalEvaluator } from '../../evaluation/local-evaluator.ts';
import type { WorkspaceView } from '../../live/workspace-view.ts';
import type { FoundModel } from '../../model/discover-model.ts';
import { isLoopback } from '../../model/model-endpoint.ts';
import { tokenPrices } from '../../model/token-price.ts';
import { AgentSpeculation } from '../../speculation/agent-speculation.ts';
import { CostGovernor } from '../../speculation/cost-governor.ts';
import type { OutcomeLog } from '../../storage/outcome-log.ts';
import type { TranscriptShelf } from '../../storage/transcript-shelf.ts';
import type { ChatHost, ConversationWish, KnownConversation, OpenChat } from '../../terminal/chat-host.ts';
import type { AskUser } from '../../terminal/question/question.ts';
import { permissionQuestion } from '../../terminal/view/permission-view.ts';
import type { FilePatch } from '../../text/unified-diff.ts';
import { catalogue } from '../../tools/catalogue.ts';
import { environmentOutside } from '../../workspace/outside-environment.ts';
import { extentOf } from '../../workspace/supplied-path.ts';
import { type Connection, connect } from '../connection.ts';
import type { House } from '../house.ts';
import { rememberedDays, statsCommand } from '../stats/stats-command.ts';
import { ChatChanges } from './chat-changes.ts';
import { ServerJudge } from './chat-judge.ts';
import { chatPlaces } from './chat-places.ts';
import { WorkspaceShell } from './chat-shell.ts';

export interface ChatRoomOptions {
  readonly house: House;
  readonly open: WorkspaceView;
  readonly settings: Settings;
  /** Finds the model that answers; with a name, that one. */
  readonly find: (name: string | undefined, signal: AbortSignal) => Promise<FoundModel>;
  readonly shelf: TranscriptShelf;
  readonly outcomes: OutcomeLog;
  /** What the project asks of agents. */
  readonly instructions: string | undefined;
  /** Whether somebody sits at a prompt, for whom one may work ahead. */
  readonly interaction: 'interactive' | 'none';
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
}

export class ChatRoom implements ChatHost, AsyncDisposable {
  readonly #options: ChatRoomOptions;
  readonly #changes: ChatChanges;
  #found: FoundModel | undefined;
  /** Of the conversation that is open; what it has spent counts for the next one too. */
  #governor: CostGovernor | undefined;
  #current: OwnedChat | undefined;

  constructor(options: ChatRoomOptions) {
    this.#options = options;
    this.#changes = new ChatChanges(options.open.live);
  }

  async open(wish: ConversationWish, ask: AskUser | undefined, signal: AbortSignal): Promise<OpenChat> {
    const { find } = this.#options;
    const found =
      wish.kind === 'model'
        ? await find(wish.name, signal)
        : (this.#found ?? (await find(undefined, signal)));
    const before = this.#current?.conversation;
    const id = await this.#idOf(wish);
    await this.#close();
    this.#found = found;
    const connection = this.#connect();
    try {
      const parts = this.#parts(found, { connection, ask, before });
      const conversation = await this.#conversation(parts, id);
      const ahead = await this.#ahead(conversation, found);
      this.#current = { conversation, connection, ...(ahead && { ahead }) };
      return this.#current;
    } catch (thrown) {
      await connection[Symbol.asyncDispose]();
      throw thrown;
    }
  }

  async list(): Promise<readonly KnownConversation[]> {
    const { shelf } = this.#options;
    const known = (await shelf.list()).slice(0, mostListed);
    const titled = known.map(async ({ id, modifiedAt }) => {
      const title = titleOf(await shelf.open(id).read());
      return title === undefined ? [] : [{ id, title, modifiedAt }];
    });
    return (await Promise.all(titled)).flat();
  }

  takeLanded(): readonly FilePatch[] {
    return this.#changes.takeLanded();
  }

  changes(): Promise<readonly FilePatch[]> {
    return this.#changes.total();
  }

  undo(signal: AbortSignal): Promise<string> {
    return this.#changes.undo(signal);
  }

  async stats(): Promise<readonly string[]> {
    const { outcomes, env, open, settings } = this.#options;
    const now = new Date();
    // Asking the log writes down what it has only taken so far.
    await outcomes.since(now);
    const { root } = open.workspace;
    const { dailyTokens } = settings.speculation;
    const { text } = await statsCommand({
      days: rememberedDays,
      format: 'human',
      env,
      now,
      root,
      dailyTokens,
    });
    return text.trimEnd().split('\n');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
  }

  async #close(): Promise<void> {
    const current = this.#current;
    this.#current = undefined;
    await current?.ahead?.[Symbol.asyncDispose]();
    await current?.conversation[Symbol.asyncDispose]();
    await current?.connection[Symbol.asyncDispose]();
  }

  /** Which conversation is meant; undefined for a new one. */
  async #idOf(wish: ConversationWish): Promise<string | undefined> {
    const { shelf } = this.#options;
    if (wish.kind === 'begin') return undefined;
    if (wish.kind === 'model') {
      const { conversation } = this.#current ?? {};
      return conversation && conversation.messages.length > 0 ? conversation.id : undefined;
    }
    if (wish.id !== undefined) return (await shelf.find(wish.id)).id;
    return (await shelf.list())[0]?.id;
  }

  #conversation(parts: ConversationParts, id: string | undefined): Promise<Conversation> {
    const { shelf } = this.#options;
    return id === undefined
      ? Promise.resolve(Conversation.begin({ ...parts, kept: shelf.create() }))
      : Conversation.resume({ ...parts, kept: { id, transcript: shelf.open(id) } });
  }

  /** What the user allowed or chose in the conversation before holds in the next one. */
  #parts(found: FoundModel, { connection: served, ask, before }: ConversationNeeds): ConversationParts {
    const { open, settings, instructions, env, log } = this.#options;
    const { mode, allow, deny } = settings.permissions;
    const roots = this.#roots();
    const connection = { documents: served.documents, setLogLevel: () => {}, progress: () => {} };
    return {
      agent: agentOf(found, settings, log),
      roots,
      permissions: new PermissionGuard({
        mode: before?.permissions.mode ?? mode,
        allow: before?.permissions.allowed ?? allow.map(parseRule),
        deny: deny.map(parseRule),
        ...(ask && { ask: (request, signal) => ask(permissionQuestion(request), signal) }),
      }),
      commands: new WorkspaceShell(() => shellEnvironment(open, env)),
      code: { context: { ...served.context, connection }, tools: served.tools, guards: served.guards },
      judge: new ServerJudge(new LocalEvaluator(open.live, log)),
      opening: openingOf({
        roots,
        date: new Date(),
        platform: process.platform,
        ...(instructions !== undefined && { instructions }),
      }),
    };
  }

  #connect(): Connection {
    const { house, log } = this.#options;
    return connect(house, { log, skills: async () => [], toolset: 'full', sessions: 'memory' });
  }

  #roots(): Roots<AgentRoot> {
    const { workspace, live } = this.#options.open;
    const files = new LiveFiles({
      begin: () => live.emptyOverlay(),
      commit: (overlay, together, signal) => this.#changes.commit(overlay, together, signal),
    });
    return [{ name: basename(workspace.root), workspace, files }];
  }

  async #ahead(conversation: Conversation, found: FoundModel): Promise<AgentSpeculation | undefined> {
    const { interaction, outcomes, settings, open, house, env, log } = this.#options;
    if (interaction === 'none') return undefined;
    const { depth, dailyTokens, sessionTokens } = settings.speculation;
    const past = await outcomes.since(new Date(Date.now() - rememberedDays * dayMs));
    const governor = new CostGovernor({
      past,
      workspace: chatPlaces(env, open.workspace.root).workspace,
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
      openCommands: () => new SandboxedCommands({ env, log, trust: house.workspaces.trust }),
      governor,
      outcomes,
      interaction,
      depth,
      log,
    });
  }
}

/** A conversation with everything that ends with it. */
interface OwnedChat extends OpenChat {
  readonly connection: Connection;
  readonly ahead?: AgentSpeculation;
}

interface ConversationNeeds {
  readonly connection: Connection;
  readonly ask: AskUser | undefined;
  /** The one that was open before. */
  readonly before: Conversation | undefined;
}

/** Of each the whole record is read for its title. */
const mostListed = 50;

const dayMs = 24 * 60 * 60 * 1000;

function agentOf({ client, model, provider, capability }: FoundModel, settings: Settings, log: Log): Agent {
  const { temperature, thinking, maxTokens } = settings.model;
  // The large hosted models call tools without being helped.
  const assistance = provider === 'anthropic' || provider === 'openai' ? 'none' : 'full';
  const tools = toolkit(codeTools(catalogue), { assistance });
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

/** A user who allows `ls` means the one of the machine, whatever the search path leads to in the workspace. */
function shellEnvironment({ workspace, live }: WorkspaceView, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return live.trust === 'trusted' ? env : environmentOutside(env, extentOf(workspace.root, env));
}
