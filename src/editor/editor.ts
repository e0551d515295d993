/**
 * The editor of one workspace: its features, the log of their events and the pages that show it.
 *
 * Invariants: everything a page shows is kept here, so a page can be closed, reloaded or opened twice. Disposing the
 * editor ends its work in reverse order; it owns its connection, not the process's servers.
 */
import { basename } from 'node:path';
import type { Log } from '../base/log.ts';
import type { Settings } from '../config/settings.ts';
import type { ModelFinder } from '../host/chat/model-finder.ts';
import { Connection } from '../host/connection.ts';
import type { Forerun } from '../host/forerun.ts';
import type { LiveWorkspace } from '../live/live-workspace.ts';
import { AgentFeature } from './agent/agent-feature.ts';
import { bufferPanes } from './agent/buffer-panes.ts';
import { BufferText } from './agent/buffer-text.ts';
import { BufferFeature } from './buffer-feature.ts';
import { Buffers } from './buffers.ts';
import { CodeFeature } from './code/code-feature.ts';
import { EditApplier } from './edit-applier.ts';
import { editPlans } from './edit-plans.ts';
import type { EditorContext } from './editor-context.ts';
import type { EditorFeature, Handlers, RequestSource } from './editor-feature.ts';
import { EventLog } from './event-log.ts';
import { FileFeature } from './file-feature.ts';
import { FutureFeature } from './future-feature.ts';
import { GhostFeature } from './ghost/ghost-feature.ts';
import { GitFeature } from './git/git-feature.ts';
import { MergeFeature } from './git/merge-feature.ts';
import { Pages } from './pages.ts';
import type { MethodName, Snapshot } from './protocol.ts';
import { SearchFeature } from './search/search-feature.ts';
import { SettingFeature } from './setting-feature.ts';
import { StartFeature } from './start-feature.ts';
import { TerminalFeature } from './terminal/terminal-feature.ts';
import { TrustFeature } from './trust-feature.ts';
import { WhatIfFeature } from './what-if-feature.ts';

export interface EditorOptions {
  /** The directory of the workspace. */
  readonly directory: string;
  readonly log: Log;
  /** How long a page may be away before what it had open is closed; absent: a minute. */
  readonly absenceMs?: number;
  /** Absent: the editor has no agent. */
  readonly agent?: AgentOptions;
}

/** What the agent of an editor needs of its process. */
export interface AgentOptions {
  readonly settings: Settings;
  readonly find: ModelFinder;
}

/** A handler whose parameters were parsed by the schema of its method. */
type ParsedHandler = (params: unknown, source: RequestSource, signal: AbortSignal) => Promise<unknown>;

export class Editor implements AsyncDisposable {
  readonly log = new EventLog();
  readonly pages: Pages;
  readonly buffers: Buffers;
  readonly applier: EditApplier;
  readonly context: EditorContext;
  readonly #features: EditorFeature<never>[];
  #handlers: ReadonlyMap<string, ParsedHandler>;
  readonly #closing = new AbortController();
  readonly #buffer: BufferFeature;
  readonly #code: CodeFeature;
  readonly #plans = editPlans();
  readonly #file: FileFeature;

  static async open(forerun: Forerun, options: EditorOptions, signal: AbortSignal): Promise<Editor> {
    const { log, directory } = options;
    const { skills } = forerun;
    const connection = new Connection(forerun, { log, skills, toolset: 'full', sessions: 'kept' });
    try {
      const { live } = await connection.context.workspaces.open(directory, signal);
      const editor = new Editor({ forerun, connection, live }, options);
      if (options.agent) await editor.#addAgent(options.agent, signal);
      // From here on changes on disk are reported without a request.
      await live.syncWithDisk(signal);
      return editor;
    } catch (thrown) {
      await connection[Symbol.asyncDispose]();
      throw thrown;
    }
  }

  private constructor(
    host: { readonly forerun: Forerun; readonly connection: Connection; readonly live: LiveWorkspace },
    { log, absenceMs }: EditorOptions,
  ) {
    const { signal } = this.#closing;
    const publish: EditorContext['publish'] = (event) => this.log.publish(event);
    this.context = { ...host, signal, publish, log: log.child('editor') };
    this.pages = new Pages(absenceMs === undefined ? {} : { absenceMs });
    this.buffers = new Buffers(host.live, publish);
    this.applier = new EditApplier({ live: host.live, buffers: this.buffers, publish }, signal);
    this.#buffer = new BufferFeature(this.context, this.buffers, this.applier);
    this.#code = new CodeFeature(this.context, {
      buffers: this.buffers,
      applier: this.applier,
      plans: this.#plans,
    });
    const { servers } = this.#code.access;
    this.#file = new FileFeature(this.context, { buffers: this.buffers, applier: this.applier, servers });
    this.#features = this.#build();
    this.#handlers = handlersOf(this.#features);
    this.pages.closed.subscribe((page) => {
      for (const feature of this.#features) feature.pageClosed?.(page);
    });
  }

  /** The handler of a method; undefined if no feature answers it. */
  handler(method: MethodName): ParsedHandler | undefined {
    return this.#handlers.get(method);
  }

  /** Everything a page needs to begin. */
  snapshot(): Snapshot {
    const { workspace, trust } = this.context.live;
    const { root } = workspace;
    const own = { workspace: { root, name: basename(root), isTrusted: trust === 'trusted' } };
    return Object.assign(emptySnapshot(), own, ...this.#features.map((feature) => feature.snapshot?.()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new Error('the editor was closed'));
    this.pages[Symbol.dispose]();
    for (const feature of [...this.#features].reverse()) await feature[Symbol.asyncDispose]?.();
    await this.context.connection[Symbol.asyncDispose]();
  }

  /** Every feature, in the order of what they build on. */
  #build(): EditorFeature<never>[] {
    const { context, buffers, applier } = this;
    const plans = this.#plans;
    const future = new FutureFeature(context, { buffers, plans });
    const search = new SearchFeature(context, { buffers, applier, plans });
    const whatIf = new WhatIfFeature(context, { buffers, applier, future: future.future });
    const trust = new TrustFeature(context, { future: future.future, events: this.log });
    const onGit = [new GitFeature(context, buffers), new MergeFeature(context, () => whatIf.open)];
    const own = [
      new SettingFeature(context),
      new TerminalFeature(context),
      new StartFeature(context, buffers),
      trust,
    ];
    return [this.#buffer, this.#code, this.#file, future, whatIf, search, ...onGit, ...own];
  }

  async #addAgent({ settings, find }: AgentOptions, signal: AbortSignal): Promise<void> {
    const { context, buffers } = this;
    const text = new BufferText(buffers, this.applier);
    const findFiles = (query: string, limit: number, caller: AbortSignal) =>
      this.#file.find(query, limit, caller);
    const panes = bufferPanes(buffers, this.#buffer);
    const agent = await AgentFeature.open(context, { text, panes, findFiles, settings, find }, signal);
    buffers.changed.subscribe(({ kind }) => {
      if (kind === 'text') agent.proposal.textChanged();
    });
    const ghost = new GhostFeature(context, buffers, {
      find: (caller) => agent.findModel(caller),
      use: () => agent.modelUse,
    });
    agent.panel.changed.subscribe(() => ghost.modelChanged());
    this.#features.push(agent, ghost);
    this.#handlers = handlersOf(this.#features);
  }
}

function emptySnapshot(): Snapshot {
  return { workspace: { root: '', name: '', isTrusted: false }, buffers: [], diagnostics: [], servers: [] };
}

/** The handlers of all features by method; the link parses parameters with the schema of the same name. */
function handlersOf(features: readonly EditorFeature<never>[]): ReadonlyMap<string, ParsedHandler> {
  const entries = features.flatMap(({ handlers }) => Object.entries<Handlers[MethodName]>(handlers));
  return new Map(entries.map(([method, handler]) => [method, handler as ParsedHandler]));
}
