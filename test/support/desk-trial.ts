/**
 * The agent of an editor in a scratch workspace, on buffers in memory and a model that says what the test wrote down.
 *
 * Invariant: `view` is what a page holds that was there from the beginning, by events alone.
 */
import { silentLog } from '../../src/base/log.ts';
import { settingsOf } from '../../src/config/settings.ts';
import { AgentFeature } from '../../src/editor/agent/agent-feature.ts';
import type { Pane, PaneFocus } from '../../src/editor/agent/panes.ts';
import type { EditorEvent, MethodName, ParamsOf } from '../../src/editor/protocol.ts';
import { Connection } from '../../src/host/connection.ts';
import { Forerun } from '../../src/host/forerun.ts';
import { type AgentView, agentAfter } from '../../web/agent/agent-view.ts';
import { MemoryEditor } from './memory-editor.ts';
import { ScratchWorkspace } from './scratch-workspace.ts';
import { ScriptedProvider } from './scripted-provider.ts';
import { noModel, scriptedFinder } from './scripted-provider-client.ts';
import { calm } from './world.ts';

type AgentMethod = Extract<MethodName, `agent.${string}`>;

export interface DeskOptions {
  readonly model?: 'none';
  /** Absent: off, so that every request is one of the test's own turns. */
  readonly suggestions?: 'on';
}

export class DeskTrial implements AsyncDisposable {
  readonly editor: MemoryEditor;
  readonly feature: AgentFeature;
  readonly provider: ScriptedProvider;
  readonly scratch: ScratchWorkspace;
  readonly state: ScratchWorkspace;
  readonly events: EditorEvent[];
  panes: readonly Pane[] = [];
  focus: PaneFocus | undefined;
  #view: AgentView;
  readonly #forerun: Forerun;
  readonly #waiting: Set<() => void>;

  private constructor(parts: Omit<PanelParts, 'panes'>) {
    this.editor = parts.editor;
    this.feature = parts.feature;
    this.provider = parts.provider;
    this.scratch = parts.scratch;
    this.state = parts.state;
    this.events = parts.events;
    this.#forerun = parts.forerun;
    this.#waiting = parts.waiting;
    this.#view = parts.view;
  }

  static async open(
    files: Readonly<Record<string, string>>,
    { model, suggestions }: DeskOptions = {},
  ): Promise<DeskTrial> {
    const scratch = await ScratchWorkspace.create(files);
    const state = await ScratchWorkspace.create({});
    const provider = await ScriptedProvider.open();
    const env = { XDG_STATE_HOME: state.workspace.root, PATH: process.env.PATH ?? '' };
    const forerun = new Forerun({ definitions: [], log: silentLog, env, daemon: 'off' });
    const connection = new Connection(forerun, {
      log: silentLog,
      skills: async () => [],
      toolset: 'full',
      sessions: 'memory',
    });
    const { live } = await connection.context.workspaces.open(scratch.workspace.root, calm);
    const events: EditorEvent[] = [];
    const waiting = new Set<() => void>();
    const editor = new MemoryEditor(live.disk.source);
    const held: { trial?: DeskTrial } = {};
    const publish = (event: EditorEvent): void => {
      events.push(event);
      if (held.trial) held.trial.#view = agentAfter(held.trial.#view, event);
      for (const look of [...waiting]) look();
    };
    const feature = await AgentFeature.open(
      { forerun, connection, live, publish, log: silentLog, signal: calm },
      {
        text: editor,
        panes: { open: () => held.trial?.panes ?? [], focus: () => held.trial?.focus },
        findFiles: async (query) => Object.keys(files).filter((path) => path.includes(query)),
        settings: settingsOf(new Map([['speculation', new Map([['enabled', suggestions === 'on']])]])),
        find: model === 'none' ? noModel : scriptedFinder(provider),
      },
      calm,
    );
    const view = feature.snapshot().agent;
    if (!view) throw new Error('the agent has no snapshot');
    const trial = new DeskTrial({
      editor,
      feature,
      provider,
      scratch,
      state,
      events,
      forerun,
      waiting,
      view,
    });
    held.trial = trial;
    return trial;
  }

  /** What a page has that follows the events. */
  get view(): AgentView {
    return this.#view;
  }

  ask<Name extends AgentMethod>(
    method: Name,
    params: ParamsOf<Name>,
  ): ReturnType<AgentFeature['handlers'][Name]>;
  ask(method: AgentMethod, params: never): Promise<unknown> {
    return this.feature.handlers[method](params, { page: 'test' }, calm);
  }

  send(text: string): Promise<unknown> {
    return this.ask('agent.send', { text, mentions: [], focus: 'along' });
  }

  /** Says something and waits for the end of the turn. */
  async turn(text: string): Promise<void> {
    await this.send(text);
    await this.until(({ state }) => !state.isRunning);
  }

  until(isSo: (view: AgentView) => boolean): Promise<AgentView> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!isSo(this.view)) return;
        this.#waiting.delete(look);
        resolve(this.view);
      };
      this.#waiting.add(look);
      look();
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.feature[Symbol.asyncDispose]();
    await this.#forerun[Symbol.asyncDispose]();
    await this.provider[Symbol.asyncDispose]();
    await this.scratch[Symbol.asyncDispose]();
    await this.state[Symbol.asyncDispose]();
  }
}

interface PanelParts {
  readonly editor: MemoryEditor;
  readonly feature: AgentFeature;
  readonly provider: ScriptedProvider;
  readonly scratch: ScratchWorkspace;
  readonly state: ScratchWorkspace;
  readonly events: EditorEvent[];
  readonly forerun: Forerun;
  readonly waiting: Set<() => void>;
  readonly view: AgentView;
  readonly panes: readonly Pane[];
}
