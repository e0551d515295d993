/**
 * The agent at work in the editor: one open conversation, its turn, its proposal and what it would do next.
 *
 * Invariants: one turn runs at a time, and none is bound to a page. Decisions about the proposal are carried out between
 * turns only. What fails is shown in the conversation, and the user's words are kept there.
 */
import { runTurn } from '../../agent/turn.ts';
import type { TurnEvent, TurnOutcome } from '../../agent/turn-event.ts';
import { Channel } from '../../base/channel.ts';
import { Failure, messageOf } from '../../base/failure.ts';
import { failureLogger, type Log } from '../../base/log.ts';
import type { ConversationWish, OpenChat } from '../../host/chat/chat-host.ts';
import type { ChatService } from '../../host/chat/chat-service.ts';
import { isJsonObject, parseJson } from '../../model/json-value.ts';
import type { UserPart } from '../../model/message.ts';
import { isLoopback } from '../../model/model-endpoint.ts';
import { ModelFailure } from '../../model/model-failure.ts';
import type { Usage } from '../../model/usage.ts';
import type { AgentMode, AgentModel, AgentProposal, AgentState } from '../protocol/agent.ts';
import type { EditorEvent } from '../protocol.ts';
import { opensFile } from './editor-tools.ts';
import type { Panes } from './panes.ts';
import type { PermissionQuestions } from './permission-questions.ts';
import type { ProposalReview } from './proposal-review.ts';
import { reviewNote } from './review-note.ts';
import { ShownConversation } from './shown-conversation.ts';
import { suggestionChip } from './suggestion-chip.ts';
import { type SurroundingsWish, surroundingsOf } from './turn-surroundings.ts';

export interface PanelParts {
  readonly chat: ChatService;
  readonly proposal: ProposalReview;
  readonly questions: PermissionQuestions;
  readonly panes: Panes;
  readonly publish: (event: EditorEvent) => void;
  readonly mode: AgentMode;
  readonly suggests: 'on' | 'off';
  readonly enterRuns: boolean;
  /** Aborts when the editor is closed. */
  readonly signal: AbortSignal;
  readonly log: Log;
}

export interface SentMessage extends Omit<SurroundingsWish, 'edits'> {
  readonly text: string;
}

export class AgentPanel implements AsyncDisposable {
  readonly shown: ShownConversation;
  /** Emits when the model is another one, and when a turn begins or ends. */
  readonly changed = new Channel<void>();
  #published = '';
  readonly #parts: PanelParts;
  #open: OpenChat | undefined;
  #offers: Disposable | undefined;
  #turn: { readonly abort: AbortController; readonly over: Promise<void> } | undefined;
  #model: AgentModel = { kind: 'looking' };
  #title = '';
  #mode: AgentMode;
  #suggests: 'on' | 'off';
  #typed = '';
  #spent = { input: 0, output: 0 };
  #savedMs = 0;
  #opening: Promise<unknown> = Promise.resolve();

  constructor(parts: PanelParts) {
    this.#parts = parts;
    this.#mode = parts.mode;
    this.#suggests = parts.suggests;
    this.shown = new ShownConversation(parts.publish);
    parts.questions.changed.subscribe(() => this.#changed());
    parts.proposal.changed.subscribe(() => this.#publishProposal());
  }

  get state(): AgentState {
    const { questions, enterRuns } = this.#parts;
    const conversation = this.#open?.conversation;
    const suggestion = this.#open?.ahead && !this.#turn ? suggestionChip(this.#open.ahead) : undefined;
    const { current: question } = questions;
    return {
      model: this.#model,
      ...(conversation && { conversation: { id: conversation.id, title: this.#title } }),
      mode: this.mode,
      isRunning: this.#turn !== undefined,
      plan: (conversation?.todos ?? []).map(({ content, status }) => ({ content, status })),
      usage: this.#usage(),
      ...(question && { question }),
      ...(suggestion && { suggestion }),
      suggests: this.#suggests === 'on',
      enterRuns,
      savedMs: this.#savedMs,
    };
  }

  get mode(): AgentMode {
    return this.#open?.conversation.setup.permissions.mode ?? this.#mode;
  }

  /** Whether the model is busy with a turn. */
  get isRunning(): boolean {
    return this.#turn !== undefined;
  }

  get proposalShown(): AgentProposal | undefined {
    return this.#parts.proposal.shown;
  }

  setMode(mode: AgentMode): void {
    this.#mode = mode;
    if (this.#open) this.#open.conversation.setup.permissions.mode = mode;
    this.#changed();
  }

  /** Opens another conversation, after the turn of this one was stopped. */
  async switchTo(wish: ConversationWish, signal: AbortSignal): Promise<void> {
    await this.stop();
    const work = this.#opening.catch(() => undefined).then(() => this.#openChat(wish, signal));
    this.#opening = work;
    await work;
  }

  /** Looks for a model, for a panel that shows whether there is one. */
  async look(signal: AbortSignal): Promise<void> {
    const { chat } = this.#parts;
    this.#model = { kind: 'looking' };
    this.#changed();
    try {
      chat.forgetModel();
      const { model, provider, address } = await chat.findModel(signal);
      this.#model = { kind: 'found', name: model, provider, isLocal: isLoopback(address) };
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown;
      this.#model = { kind: 'none', message: thrown.message, remedy: thrown.remedy };
    }
    this.#changed();
  }

  /** Resolves when the message is taken; what follows is shown as it happens. */
  async send(message: SentMessage, signal: AbortSignal): Promise<void> {
    if (this.#turn) throw new TurnRunning();
    if (message.text.trim() === '') throw new NothingSaid();
    if (!this.#open) await this.switchTo({ kind: 'begin' }, signal);
    if (this.#turn) throw new TurnRunning();
    const abort = new AbortController();
    const ended = AbortSignal.any([abort.signal, this.#parts.signal]);
    const over = Promise.resolve()
      .then(() => this.#converse(message, ended))
      .catch((thrown: unknown) => this.#failed(thrown, ended))
      .then(() => this.#rest());
    this.#turn = { abort, over };
    this.#typed = '';
    this.#changed();
  }

  async stop(): Promise<void> {
    const turn = this.#turn;
    turn?.abort.abort(new DOMException('stopped by the user', 'AbortError'));
    await turn?.over;
  }

  answer(question: string, answer: 'once' | 'always' | 'no', words: string | undefined): void {
    this.#parts.questions.answer(question, answer, words);
  }

  /** What stands in the prompt. */
  typed(text: string): void {
    this.#typed = text;
    const ahead = this.#open?.ahead;
    if (!ahead || this.#turn || text === '') return;
    if (ahead.typed(text) === 'aborted') this.#changed();
  }

  dismiss(): void {
    this.#open?.ahead?.abort('dismissed');
    this.#changed();
  }

  suggest(choice: 'on' | 'off'): void {
    this.#suggests = choice;
    this.#open?.ahead?.turn(choice);
    if (choice === 'on') this.#open?.ahead?.resume();
    this.#changed();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.#opening.catch(() => undefined);
    await this.#abandon();
    this.#offers?.[Symbol.dispose]();
  }

  async #openChat(wish: ConversationWish, signal: AbortSignal): Promise<void> {
    const { chat, questions, log } = this.#parts;
    await this.#abandon();
    const open = await chat.open(wish, questions.ask, signal).catch((thrown: unknown) => {
      if (thrown instanceof ModelFailure)
        this.#model = { kind: 'none', message: thrown.message, remedy: thrown.remedy };
      this.#changed();
      throw thrown;
    });
    log.debug('editor.conversation-opened', { conversation: open.conversation.id, wish: wish.kind });
    this.#open = open;
    this.#offers?.[Symbol.dispose]();
    this.#offers = open.ahead?.subscribe(() => this.#changed());
    open.ahead?.turn(this.#suggests);
    const { conversation } = open;
    if (wish.kind === 'begin') conversation.setup.permissions.mode = this.#mode;
    const { model, provider, address } = await chat.findModel(signal);
    this.#model = { kind: 'found', name: model, provider, isLocal: isLoopback(address) };
    if (wish.kind === 'model') {
      this.#changed();
      return;
    }
    this.#spent = { input: 0, output: 0 };
    this.shown.show(conversation.history.messages);
    const first = this.shown.items.find(({ kind }) => kind === 'user');
    this.#title = first?.kind === 'user' ? titleOf(first.text) : '';
    this.#changed();
  }

  /** A proposal that nobody decided about is not in the files; the record says so, for whoever goes on with it. */
  async #abandon(): Promise<void> {
    const { proposal } = this.#parts;
    const settled = proposal.abandon();
    const history = this.#open?.conversation.history;
    const note = reviewNote(settled, 0);
    if (note !== undefined && history && history.messages.length > 0) {
      await history.addUserMessage([{ kind: 'text', text: note }]);
    }
  }

  /** Where the input was worked out ahead, that becomes real; else, and for what is left of it, a turn is run. */
  async #converse(message: SentMessage, signal: AbortSignal): Promise<void> {
    const { chat, proposal } = this.#parts;
    const { conversation, ahead } = this.#opened();
    if (this.#title === '') {
      this.#title = titleOf(message.text);
      this.#changed();
    }
    await chat.history.add(message.text);
    const from = conversation.history.messages.length;
    const entry = await ahead?.enter(message.text, signal);
    if (entry && entry.kind === 'turn' && entry.origin === 'plain') {
      if (entry.conflicts.length > 0) {
        this.shown.notice(`${entry.conflicts.join(', ')} changed meanwhile; asking anew.`);
      }
    }
    if (entry && (entry.kind === 'answered' || entry.origin !== 'plain')) {
      this.shown.say(message.text, []);
      const added = conversation.history.messages.slice(from);
      this.shown.add(added[0]?.role === 'user' ? added.slice(1) : added);
      this.#savedMs += entry.savedMs;
      if (entry.kind === 'answered') {
        this.shown.notice(doneAhead(entry.patch.length, entry.savedMs));
        return;
      }
      await this.#run([], signal);
      return;
    }
    const choice = proposal.choice;
    const { parts, along } = await surroundingsOf(
      { ...message, edits: choice },
      this.#parts.panes,
      proposal.seen(),
    );
    this.shown.say(message.text, along);
    const note = proposal.takeNote();
    const lead: UserPart[] = note === undefined ? [] : [{ kind: 'text', text: note }];
    await proposal.begin(message.text);
    await this.#run([...lead, ...parts, { kind: 'text', text: message.text }], signal);
  }

  async #run(input: readonly UserPart[], signal: AbortSignal): Promise<void> {
    const { conversation, ahead } = this.#opened();
    let outcome: TurnOutcome | undefined;
    for await (const event of runTurn(conversation, input, {}, signal)) {
      this.#receive(event);
      if (event.kind === 'done') outcome = event.outcome;
    }
    // A user who is typing needs no suggestion.
    if (outcome && this.#typed === '' && !this.#parts.signal.aborted) ahead?.begin(outcome);
  }

  #receive(event: TurnEvent): void {
    this.shown.receive(event);
    if (event.kind === 'usage') this.#spend(event.usage);
    if (event.kind === 'todos' || event.kind === 'usage') this.#changed();
    if (event.kind === 'tool-finished' && opensFile(event.result.name)) this.#reveal(event.result);
  }

  #reveal({ text, outcome }: Extract<TurnEvent, { kind: 'tool-finished' }>['result']): void {
    if (outcome !== 'done') return;
    const opened = openedFile(text);
    if (opened) this.#parts.publish({ kind: 'agent.reveal', ...opened });
  }

  #failed(thrown: unknown, signal: AbortSignal): void {
    if (signal.aborted) {
      this.shown.notice('Stopped.');
      return;
    }
    const remedy = thrown instanceof Failure ? thrown.remedy : 'Send it again.';
    this.#parts.log.warning('editor.turn-failed', { code: 'editor/turn-failed', error: messageOf(thrown) });
    this.shown.fail(messageOf(thrown), remedy);
  }

  /** Nothing is under way any more: what waited for the end of the turn is carried out. */
  async #rest(): Promise<void> {
    this.#turn = undefined;
    this.#changed();
    const { proposal, signal, log } = this.#parts;
    await proposal.carryOutWaiting(signal).catch(failureLogger(log, 'editor.decision-failed'));
  }

  #opened(): OpenChat {
    if (!this.#open) throw new Error('no conversation is open');
    return this.#open;
  }

  #spend({ input, output }: Usage): void {
    this.#spent = { input: this.#spent.input + input, output: this.#spent.output + output };
  }

  #usage(): AgentState['usage'] {
    const conversation = this.#open?.conversation;
    const last = conversation?.history.usage;
    return {
      context: (last?.input ?? 0) + (last?.output ?? 0),
      limit: conversation?.setup.agent.contextTokens ?? 0,
      ...this.#spent,
    };
  }

  #changed(): void {
    this.#parts.publish({ kind: 'agent.state', state: this.state });
    const published = `${this.#model.kind} ${this.isRunning}`;
    if (published === this.#published) return;
    this.#published = published;
    this.changed.emit();
  }

  #publishProposal(): void {
    const proposal = this.proposalShown;
    this.#parts.publish({ kind: 'agent.proposal', ...(proposal && { proposal }) });
  }
}

class TurnRunning extends Failure {
  readonly code = 'editor/turn-running';
  readonly remedy = 'Wait for its end, or stop it.';

  constructor() {
    super('the agent is still answering');
  }
}

class NothingSaid extends Failure {
  readonly code = 'editor/nothing-said';
  readonly remedy = 'Write what the agent is to do.';

  constructor() {
    super('the message is empty');
  }
}

function titleOf(text: string): string {
  return (text.trim().split('\n')[0] ?? '').slice(0, 80);
}

function doneAhead(files: number, savedMs: number): string {
  const seconds = Math.round(savedMs / 1000);
  return `Done ahead of you: ${files} ${files === 1 ? 'file' : 'files'}, ${seconds} s saved.`;
}

/** What the tool that opens files answered. */
function openedFile(text: string): { path: string; line?: number } | undefined {
  const parsed = parseJson(text);
  if (!isJsonObject(parsed) || typeof parsed.opened !== 'string') return undefined;
  const line = typeof parsed.line === 'number' ? Math.max(0, parsed.line - 1) : undefined;
  return { path: parsed.opened, ...(line !== undefined && { line }) };
}
