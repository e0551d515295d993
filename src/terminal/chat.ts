/**
 * A chat at a terminal: reads keys, runs turns of a conversation and shows suggestions of the speculation.
 *
 * Invariants: one job runs at a time, and Ctrl+C interrupts it; a failure is shown and the chat continues; when `run`
 * returns, no job is running.
 */

import type { Conversation } from '../agent/conversation.ts';
import { runTurn } from '../agent/turn.ts';
import { onAbort } from '../base/deadline.ts';
import type { ChatHost, ConversationWish, HistoryStore, OpenChat } from '../host/chat/chat-host.ts';
import type { Message, UserPart } from '../model/message.ts';
import type { AbortReason } from '../speculation/engine/speculation-state.ts';
import { isBeginningOf } from '../speculation/engine/typed-input.ts';
import { failureLines } from './failure-lines.ts';
import { Keyboard, type TerminalInput } from './keyboard.ts';
import { line } from './line/styled-line.ts';
import { LiveRegion } from './live-region.ts';
import { historyOf } from './prompt/input-history.ts';
import type { Key } from './prompt/key.ts';
import { type PromptRequest, pressKey } from './prompt/prompt-state.ts';
import { emptyPrompt, promptOf } from './prompt/prompt-text.ts';
import { QuestionPrompt } from './question/question-prompt.ts';
import { isNeutral } from './question/question-state.ts';
import { type RunningJob, undertake } from './running-job.ts';
import { Screen, type TerminalOutput } from './screen.ts';
import { type CommandContext, readSlashCommand, slashCommands } from './slash-command.ts';
import { type TurnOutput, TurnRenderer } from './turn-renderer.ts';
import { diffLines, mostDiffLines } from './view/diff-view.ts';
import { lastOutputIn, messageLines, userLines } from './view/message-view.ts';
import { askPermission } from './view/permission-view.ts';
import { shownSuggestion } from './view/suggestion-view.ts';

export interface ChatOptions {
  readonly input: TerminalInput;
  readonly output: TerminalOutput;
  readonly colour: 'coloured' | 'plain';
  readonly host: ChatHost;
  readonly history: HistoryStore;
  readonly begin: ConversationWish;
  /** Whether to speculate, until the user changes it. */
  readonly speculation: 'on' | 'off';
  /** Whether Enter on an empty prompt runs the suggestion. */
  readonly enterRuns: boolean;
}

export async function runChat(options: ChatOptions, signal: AbortSignal): Promise<void> {
  const history = historyOf(await options.history.read());
  const screen = new Screen(options.output, options.colour);
  using keyboard = new Keyboard(options.input, options.output);
  using stage = new LiveRegion(screen, {
    prompt: { prompt: emptyPrompt, history },
    activity: 'working',
    unfinished: [],
    running: [],
    queued: [],
    footer: '',
  });
  const chat = new Chat(options, stage);
  using _keys = keyboard.pressed.subscribe((burst) => chat.press(burst));
  using _hangups = keyboard.closed.subscribe(() => chat.leave());
  using _resizes = resizes(options.output, () => stage.redraw());
  await chat.run(signal);
}

type Warning = 'given' | 'none';

class Chat implements CommandContext {
  readonly host: ChatHost;
  readonly #options: ChatOptions;
  readonly #stage: LiveRegion;
  #open: OpenChat | undefined;
  #offers: Disposable | undefined;
  #speculation: 'on' | 'off';
  readonly #questions: QuestionPrompt;
  #work: RunningJob | undefined;
  #failure: { readonly thrown: unknown } | undefined;
  #isLeaving = false;
  /** `given` if the last key was Ctrl+C on an empty prompt. */
  #warning: Warning = 'none';
  #lastOutput = '';
  #leave: () => void = () => {};
  readonly #left = new Promise<void>((resolve) => {
    this.#leave = resolve;
  });

  constructor(options: ChatOptions, stage: LiveRegion) {
    this.host = options.host;
    this.#options = options;
    this.#speculation = options.speculation;
    this.#stage = stage;
    this.#questions = new QuestionPrompt(stage);
  }

  get conversation(): Conversation {
    if (!this.#open) throw new Error('no conversation is open yet');
    return this.#open.conversation;
  }

  get columns(): number {
    return this.#stage.writing.columns;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { begin } = this.#options;
    const forget = onAbort(signal, () => this.leave());
    if (signal.aborted) this.leave();
    this.#start((own) => this.switchTo(begin, own));
    await this.#left;
    forget();
    this.#offers?.[Symbol.dispose]();
    this.#open?.ahead?.abort('disposed');
    this.#work?.interrupt();
    await this.#work?.over;
    if (this.#failure) throw this.#failure.thrown;
  }

  readonly say = (lines: Parameters<LiveRegion['say']>[0]): void => this.#stage.say(lines);

  readonly leave = (): void => {
    this.#isLeaving = true;
    this.#leave();
  };

  readonly turnSpeculation = (choice: 'on' | 'off'): string => {
    this.#speculation = choice;
    this.#open?.ahead?.turn(choice);
    if (choice === 'on') this.#open?.ahead?.resume();
    return `speculation: ${choice}`;
  };

  async switchTo(wish: ConversationWish, signal: AbortSignal): Promise<void> {
    const before = this.#open;
    before?.ahead?.abort('superseded');
    this.#open = await this.host.open(wish, askPermission(this.#questions.ask), signal);
    const { conversation, ahead } = this.#open;
    this.#offers?.[Symbol.dispose]();
    this.#offers = ahead?.subscribe(({ state }) => {
      if (state.kind === 'silent' && state.notice) this.say([line(state.notice, 'faint')]);
      this.#refreshSuggestion();
    });
    ahead?.turn(this.#speculation);
    const { agent } = conversation.setup;
    const { messages } = conversation.history;
    if (wish.kind === 'begin' && before) this.say([line('A new conversation.', 'faint')]);
    if (wish.kind === 'model') this.say([line(`model: ${agent.model}`)]);
    if (wish.kind === 'resume') this.#tell(messages);
    this.#stage.update({ footer: this.#footer() });
  }

  /** Handles the keys of one burst from the terminal. */
  press(burst: readonly Key[]): void {
    const isInterrupt = burst.some(({ kind }) => kind === 'interrupt');
    // A burst that interrupts the turn does not answer its question.
    const keys = this.#questions.isAsking && !isInterrupt ? this.#questions.press(burst) : burst;
    const isWorking = this.#work !== undefined;
    for (const key of keys) this.#pressOne(key);
    if (isWorking) this.#questions.noteDraft(keys);
    else this.#questions.noteInput();
  }

  #pressOne(key: Key): void {
    const warning = this.#warning;
    this.#warning = 'none';
    if (this.#stage.state.notice) this.#stage.update({ notice: undefined });
    if (!this.#work) this.#pressAtPrompt(key, warning);
    else if (key.kind === 'interrupt') this.#interrupt(this.#work);
    else this.#pressAtWork(key);
  }

  #pressAtPrompt(key: Key, warning: Warning): void {
    const { prompt } = this.#stage.state;
    const rules = { enterRuns: this.#options.enterRuns, completions };
    const step = pressKey(prompt, key, rules);
    this.#stage.update({ prompt: step.state });
    this.#tellAhead(key, step.request);
    if (step.request) this.#answerRequest(step.request, warning);
  }

  /** Shows the current suggestion, unless the user is typing something else. */
  #refreshSuggestion(): void {
    const ahead = this.#open?.ahead;
    if (!ahead) return;
    const { suggestion: _gone, ...bare } = this.#stage.state.prompt;
    const shown = this.#work ? undefined : shownSuggestion(ahead.state);
    const fits = shown && isBeginningOf(bare.prompt.text, shown.text);
    this.#stage.update(
      fits
        ? { prompt: { ...bare, suggestion: shown.text }, verdict: shown.verdict }
        : { prompt: bare, verdict: undefined },
    );
  }

  /** Input sent while a job is running is queued until it ends. */
  #pressAtWork(key: Key): void {
    const { prompt, queued } = this.#stage.state;
    const { state, request } = pressKey(prompt, key, { enterRuns: false, completions });
    this.#stage.update({ prompt: state });
    if (request?.kind === 'submit') this.#stage.update({ queued: [...queued, request.text] });
    else if (request && request.kind !== 'leave') this.#answerRequest(request, 'none');
  }

  /** Returns queued input to the prompt: the user may not want it any more. */
  #interrupt(work: RunningJob): void {
    work.interrupt();
    const { prompt, queued } = this.#stage.state;
    if (queued.length === 0) return;
    const text = [...queued, prompt.prompt.text].join('\n').trimEnd();
    this.#stage.update({ queued: [], prompt: { ...prompt, prompt: promptOf(text) } });
  }

  #answerRequest(request: PromptRequest, warning: Warning): void {
    switch (request.kind) {
      case 'submit':
        this.#submit(request.text);
        break;
      case 'interrupt':
        if (warning === 'given') this.leave();
        else this.#stage.update({ notice: 'Ctrl+C again leaves' });
        this.#warning = 'given';
        break;
      case 'leave':
        this.leave();
        break;
      case 'clear-screen':
        this.#stage.clear();
        break;
      case 'toggle-output':
        this.#toggleOutput();
        break;
    }
  }

  #toggleOutput(): void {
    const isOpen = this.#stage.state.output !== undefined;
    const notice = this.#lastOutput === '' ? 'no output yet' : undefined;
    this.#stage.update({ output: isOpen || notice ? undefined : this.#lastOutput, notice });
  }

  /** Reports every key of the user to the speculation. */
  #tellAhead(key: Key, request: PromptRequest | undefined): void {
    const ahead = this.#open?.ahead;
    if (!ahead || request?.kind === 'submit' || isNeutral(key)) return;
    const { prompt } = this.#stage.state;
    if (prompt.suggestion === undefined && key.kind !== 'tab') ahead.abort(reasonOf(key));
    else ahead.typed(prompt.prompt.text);
    this.#refreshSuggestion();
  }

  #submit(text: string): void {
    this.#stage.update({ output: undefined });
    this.#start(async (signal) => {
      this.say([[], ...userLines(text, this.columns)]);
      await this.#options.history.add(text);
      const asked = readSlashCommand(text);
      if (asked) await asked.command.run(this, asked.argument, signal);
      else await this.#converse(text, signal);
    });
  }

  /** If the input was speculated on, accepts that work; otherwise, and for the rest of it, runs a turn. */
  async #converse(text: string, signal: AbortSignal): Promise<void> {
    const { conversation } = this;
    const from = conversation.history.messages.length;
    const plain = {
      kind: 'turn',
      input: [{ kind: 'text', text }],
      origin: 'plain',
      patch: [],
      conflicts: [],
    } as const;
    const entry = (await this.#open?.ahead?.enter(text, signal)) ?? plain;
    if (entry.kind === 'turn' && entry.conflicts.length > 0) {
      this.say([line(`${entry.conflicts.join(', ')} changed in the meantime; asking again.`, 'faint')]);
    }
    const added = conversation.history.messages.slice(from);
    // The user's input is already on the screen.
    this.#tell(added[0]?.role === 'user' ? added.slice(1) : added);
    this.say(diffLines(entry.patch, { ...this.#stage.writing, mostLines: mostDiffLines }));
    if (entry.kind === 'turn') await this.#turn(entry.input, signal);
  }

  /** Shows messages that were added without being displayed live. */
  #tell(messages: readonly Message[]): void {
    this.say(messageLines(messages, this.#stage.writing));
    this.#lastOutput = lastOutputIn(messages) ?? this.#lastOutput;
  }

  async #turn(input: readonly UserPart[], signal: AbortSignal): Promise<void> {
    const { conversation } = this;
    const renderer = new TurnRenderer(this.#view);
    for await (const event of runTurn(conversation, input, {}, signal)) renderer.receive(event);
    const { outcome } = renderer;
    // A user who is already typing needs no suggestion.
    const { prompt, queued } = this.#stage.state;
    const isFree = prompt.prompt.text === '' && queued.length === 0 && !this.#isLeaving;
    if (outcome && isFree) this.#open?.ahead?.begin(outcome);
  }

  readonly #view: TurnOutput = liveRegionOutput(
    () => this.#stage,
    (text) => {
      this.#lastOutput = text;
    },
  );

  #start(work: (signal: AbortSignal) => Promise<void>): void {
    this.#work = undertake(work, {
      failed: (thrown, { aborted }) => this.#fail(thrown, aborted ? 'interrupted' : 'broken'),
      settled: () => this.#rest(),
    });
    this.#stage.update({ activity: 'working' });
  }

  /** Without a conversation the chat cannot continue, so the failure is passed to its caller. */
  #fail(thrown: unknown, way: 'interrupted' | 'broken'): void {
    if (way === 'interrupted') this.say([line('interrupted', 'warning')]);
    else if (this.#open) this.say(failureLines(thrown));
    else this.#failure = { thrown };
  }

  /** No job is running: it is the user's turn. */
  #rest(): void {
    this.#work = undefined;
    if (!this.#open) {
      this.leave();
      return;
    }
    this.#stage.update({ activity: 'waiting', unfinished: [], running: [], footer: this.#footer() });
    const { prompt, queued } = this.#stage.state;
    const [next, ...later] = queued;
    if (prompt.prompt.text !== '') this.#open.ahead?.typed(prompt.prompt.text);
    this.#refreshSuggestion();
    if (next === undefined || this.#isLeaving) return;
    this.#stage.update({ queued: later });
    this.#submit(next);
  }

  #footer(): string {
    if (!this.#open) return '';
    const { permissions, agent } = this.#open.conversation.setup;
    return `${permissions.mode} · ${agent.model} · /help`;
  }
}

const completions: readonly string[] = slashCommands.map(({ name }) => `/${name}`);

function reasonOf({ kind }: Key): AbortReason {
  if (kind === 'escape') return 'dismissed';
  return kind === 'interrupt' ? 'interrupted' : 'typed';
}

function liveRegionOutput(stage: () => LiveRegion, keepOutput: (text: string) => void): TurnOutput {
  return {
    get writing() {
      return stage().writing;
    },
    say: (lines) => stage().say(lines),
    showUnfinished: (unfinished) => stage().update({ unfinished }),
    showRunning: (running) => stage().update({ running }),
    notice: (notice) => stage().update({ notice }),
    keepOutput,
  };
}

function resizes(output: TerminalOutput, listener: () => void): Disposable {
  output.on('resize', listener);
  return { [Symbol.dispose]: () => void output.off('resize', listener) };
}
