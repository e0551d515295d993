/**
 * The agent as a feature of the editor: what pages ask of it, and what a page that loads must know of it.
 *
 * Invariant: without a model everything else of the editor works, and the state says how to get one.
 */
import { failureLogger } from '../../base/log.ts';
import type { Settings } from '../../config/settings.ts';
import { LocalEvaluator } from '../../evaluation/local-evaluator.ts';
import { ChatService } from '../../host/chat/chat-service.ts';
import type { ModelFinder } from '../../host/chat/model-finder.ts';
import type { FoundModel } from '../../model/discover-model.ts';
import type { EditorContext } from '../editor-context.ts';
import type { EditorFeature, Handlers } from '../editor-feature.ts';
import type { agentMethods } from '../protocol/agent.ts';
import type { Snapshot } from '../protocol.ts';
import { AgentPanel } from './agent-panel.ts';
import type { EditorText } from './editor-text.ts';
import { editorTools } from './editor-tools.ts';
import { type MentionParts, searchMentions } from './mention-search.ts';
import type { Panes } from './panes.ts';
import { PermissionQuestions } from './permission-questions.ts';
import { ProposalReview } from './proposal-review.ts';
import { ProposalVerdicts } from './proposal-verdicts.ts';
import { type EditChoice, ProposedFiles } from './proposed-files.ts';

export interface AgentFeatureParts {
  readonly text: EditorText;
  readonly panes: Panes;
  readonly findFiles: MentionParts['findFiles'];
  readonly settings: Settings;
  readonly find: ModelFinder;
}

type AgentMethod = keyof typeof agentMethods;

export class AgentFeature implements EditorFeature<AgentMethod> {
  readonly handlers: Handlers<AgentMethod>;
  /** The files as the agent sees them, and its proposal. */
  readonly proposal: ProposalReview;
  readonly panel: AgentPanel;
  readonly #chat: ChatService;
  readonly #verdicts: ProposalVerdicts;
  readonly #background: Promise<void>;

  static async open(
    context: EditorContext,
    parts: AgentFeatureParts,
    signal: AbortSignal,
  ): Promise<AgentFeature> {
    const { forerun, live, log } = context;
    const { settings, find, text, panes } = parts;
    const built: { panel?: AgentPanel } = {};
    const choice = (): EditChoice => {
      const mode = built.panel?.mode ?? settings.permissions.mode;
      return mode === 'acceptEdits' || mode === 'bypassPermissions' ? 'applied' : 'proposed';
    };
    const files = new ProposedFiles(text, choice);
    const hasUnwritten = (): boolean => files.openHunks > 0 || !text.overlay().isEmpty;
    const chat = await ChatService.open(
      forerun,
      {
        directory: live.workspace.root,
        settings,
        find,
        interaction: 'interactive',
        editor: { files, tools: editorTools(panes), hasUnwritten },
        env: forerun.env,
        log,
      },
      signal,
    );
    const { workspace } = live;
    const verdicts = new ProposalVerdicts({
      evaluator: new LocalEvaluator(live, log),
      workspace,
      files,
      log,
    });
    const isRunning = (): boolean => built.panel?.isRunning === true;
    const proposal = new ProposalReview({ files, verdicts, choice, isRunning });
    built.panel = new AgentPanel({
      chat,
      proposal,
      questions: new PermissionQuestions(() => (hasUnwritten() ? 'sandbox' : 'disk')),
      panes,
      publish: context.publish,
      mode: settings.permissions.mode,
      suggests: settings.speculation.enabled ? 'on' : 'off',
      enterRuns: settings.speculation.enterRuns,
      signal: context.signal,
      log,
    });
    return new AgentFeature(context, parts, { chat, verdicts, proposal, panel: built.panel });
  }

  private constructor(
    context: EditorContext,
    { findFiles }: AgentFeatureParts,
    {
      chat,
      verdicts,
      proposal,
      panel,
    }: {
      readonly chat: ChatService;
      readonly verdicts: ProposalVerdicts;
      readonly proposal: ProposalReview;
      readonly panel: AgentPanel;
    },
  ) {
    this.#chat = chat;
    this.#verdicts = verdicts;
    this.proposal = proposal;
    this.panel = panel;
    const { connection, live, log, signal } = context;
    this.handlers = handlersOf({ chat, panel, proposal, findFiles, connection, workspace: live.workspace });
    // The panel says whether there is a model before anything is asked of it.
    this.#background = panel.look(signal).catch(failureLogger(log, 'editor.model-not-looked-for'));
  }

  /** The model of the agent, for others that ask it; `paused` while the agent generates on a model of this machine. */
  get modelUse(): 'ready' | 'paused' | 'none' {
    const { model, isRunning } = this.panel.state;
    if (model.kind !== 'found') return 'none';
    return isRunning && model.isLocal ? 'paused' : 'ready';
  }

  findModel(signal: AbortSignal): Promise<FoundModel> {
    return this.#chat.findModel(signal);
  }

  snapshot(): Partial<Snapshot> {
    const { state, shown, proposalShown } = this.panel;
    return { agent: { state, items: [...shown.items], ...(proposalShown && { proposal: proposalShown }) } };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#background;
    await this.panel[Symbol.asyncDispose]();
    await this.#verdicts[Symbol.asyncDispose]();
    await this.#chat[Symbol.asyncDispose]();
  }
}

interface HandlerParts extends MentionParts {
  readonly chat: ChatService;
  readonly panel: AgentPanel;
  readonly proposal: ProposalReview;
}

function handlersOf({ chat, panel, proposal, ...mentions }: HandlerParts): Handlers<AgentMethod> {
  return {
    'agent.list': async () => ({ conversations: [...(await chat.list())] }),
    'agent.open': async ({ id }, _source, signal) => {
      await panel.switchTo({ kind: 'resume', id }, signal);
      return {};
    },
    'agent.new': async (_params, _source, signal) => {
      await panel.switchTo({ kind: 'begin' }, signal);
      return {};
    },
    'agent.send': async (message, _source, signal) => {
      await panel.send(message, signal);
      return {};
    },
    'agent.stop': async () => {
      await panel.stop();
      return {};
    },
    'agent.mode': async ({ mode }) => {
      panel.setMode(mode);
      return {};
    },
    'agent.model': async ({ name }, _source, signal) => {
      if (name === undefined) await panel.look(signal);
      else await panel.switchTo({ kind: 'model', name }, signal);
      return {};
    },
    'agent.answer': async ({ question, answer, words }) => {
      panel.answer(question, answer, words);
      return {};
    },
    'agent.decide': async ({ decisions }, _source, signal) => ({
      kind: await proposal.decide(new Map(decisions.map(({ hunk, decision }) => [hunk, decision])), signal),
    }),
    'agent.mentions': async ({ query }, _source, signal) => ({
      mentions: [...(await searchMentions(mentions, query, signal))],
    }),
    'agent.typed': async ({ text }) => {
      panel.typed(text);
      return {};
    },
    'agent.dismiss': async () => {
      panel.dismiss();
      return {};
    },
    'agent.suggest': async ({ choice }) => {
      panel.suggest(choice);
      return {};
    },
  };
}
