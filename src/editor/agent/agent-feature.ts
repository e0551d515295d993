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
import { AgentDesk } from './agent-desk.ts';
import type { EditorText } from './editor-text.ts';
import { editorTools } from './editor-tools.ts';
import { type MentionParts, searchMentions } from './mention-search.ts';
import type { Panes } from './panes.ts';
import { PermissionQuestions } from './permission-questions.ts';
import { ProposalDesk } from './proposal-desk.ts';
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
  readonly proposal: ProposalDesk;
  readonly desk: AgentDesk;
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
    const built: { desk?: AgentDesk } = {};
    const choice = (): EditChoice => {
      const mode = built.desk?.mode ?? settings.permissions.mode;
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
    const isRunning = (): boolean => built.desk?.isRunning === true;
    const proposal = new ProposalDesk({ files, verdicts, choice, isRunning });
    built.desk = new AgentDesk({
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
    return new AgentFeature(context, parts, { chat, verdicts, proposal, desk: built.desk });
  }

  private constructor(
    context: EditorContext,
    { findFiles }: AgentFeatureParts,
    {
      chat,
      verdicts,
      proposal,
      desk,
    }: {
      readonly chat: ChatService;
      readonly verdicts: ProposalVerdicts;
      readonly proposal: ProposalDesk;
      readonly desk: AgentDesk;
    },
  ) {
    this.#chat = chat;
    this.#verdicts = verdicts;
    this.proposal = proposal;
    this.desk = desk;
    const { connection, live, log, signal } = context;
    this.handlers = handlersOf({ chat, desk, proposal, findFiles, connection, workspace: live.workspace });
    // The panel says whether there is a model before anything is asked of it.
    this.#background = desk.look(signal).catch(failureLogger(log, 'editor.model-not-looked-for'));
  }

  /** The model of the agent, for others that ask it; `paused` while the agent generates on a model of this machine. */
  get modelUse(): 'ready' | 'paused' | 'none' {
    const { model, isRunning } = this.desk.state;
    if (model.kind !== 'found') return 'none';
    return isRunning && model.isLocal ? 'paused' : 'ready';
  }

  findModel(signal: AbortSignal): Promise<FoundModel> {
    return this.#chat.findModel(signal);
  }

  snapshot(): Partial<Snapshot> {
    const { state, shown, proposalShown } = this.desk;
    return { agent: { state, items: [...shown.items], ...(proposalShown && { proposal: proposalShown }) } };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#background;
    await this.desk[Symbol.asyncDispose]();
    await this.#verdicts[Symbol.asyncDispose]();
    await this.#chat[Symbol.asyncDispose]();
  }
}

interface HandlerParts extends MentionParts {
  readonly chat: ChatService;
  readonly desk: AgentDesk;
  readonly proposal: ProposalDesk;
}

function handlersOf({ chat, desk, proposal, ...mentions }: HandlerParts): Handlers<AgentMethod> {
  return {
    'agent.list': async () => ({ conversations: [...(await chat.list())] }),
    'agent.open': async ({ id }, _source, signal) => {
      await desk.switchTo({ kind: 'resume', id }, signal);
      return {};
    },
    'agent.new': async (_params, _source, signal) => {
      await desk.switchTo({ kind: 'begin' }, signal);
      return {};
    },
    'agent.send': async (message, _source, signal) => {
      await desk.send(message, signal);
      return {};
    },
    'agent.stop': async () => {
      await desk.stop();
      return {};
    },
    'agent.mode': async ({ mode }) => {
      desk.setMode(mode);
      return {};
    },
    'agent.model': async ({ name }, _source, signal) => {
      if (name === undefined) await desk.look(signal);
      else await desk.switchTo({ kind: 'model', name }, signal);
      return {};
    },
    'agent.answer': async ({ question, answer, words }) => {
      desk.answer(question, answer, words);
      return {};
    },
    'agent.decide': async ({ decisions }, _source, signal) => ({
      kind: await proposal.decide(new Map(decisions.map(({ hunk, decision }) => [hunk, decision])), signal),
    }),
    'agent.mentions': async ({ query }, _source, signal) => ({
      mentions: [...(await searchMentions(mentions, query, signal))],
    }),
    'agent.typed': async ({ text }) => {
      desk.typed(text);
      return {};
    },
    'agent.dismiss': async () => {
      desk.dismiss();
      return {};
    },
    'agent.suggest': async ({ choice }) => {
      desk.suggest(choice);
      return {};
    },
  };
}
