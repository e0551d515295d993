/**
 * A chat without terminal features: lines in, lines out.
 *
 * Invariants: output is never rewritten, no escape sequence is sent, and nothing is suggested. If the input is not
 * from a person, permissions are not asked for.
 */
import type { Conversation } from '../agent/conversation.ts';
import { runTurn } from '../agent/turn.ts';
import type { ChatHost, ConversationWish, HistoryStore } from '../host/chat/chat-host.ts';
import { failureLines } from './failure-lines.ts';
import { paintLine } from './line/painted-line.ts';
import { line, type StyledLine } from './line/styled-line.ts';
import { wrapLines } from './line/wrapped-line.ts';
import type { MarkdownOptions } from './markdown/markdown-stream.ts';
import { type AskUser, choiceOfLine, questionLines } from './question/question.ts';
import { type CommandContext, readSlashCommand } from './slash-command.ts';
import { type TurnOutput, TurnRenderer } from './turn-renderer.ts';
import type { TypedLines } from './typed-lines.ts';
import { messageLines } from './view/message-view.ts';
import { askPermission } from './view/permission-view.ts';

export interface PlainChatOptions {
  /** Typed or piped input, line by line. */
  readonly lines: TypedLines;
  readonly write: (text: string) => void;
  readonly columns: number;
  readonly host: ChatHost;
  readonly history: HistoryStore;
  readonly begin: ConversationWish;
  /** Whether a person types the lines and can answer questions. */
  readonly isPerson: boolean;
}

export async function runPlainChat(options: PlainChatOptions, signal: AbortSignal): Promise<void> {
  const chat = new PlainChat(options);
  await chat.switchTo(options.begin, signal);
  for (;;) {
    const text = await chat.nextInput();
    if (text === undefined) return;
    await chat.take(text, signal);
    if (chat.isLeft || signal.aborted) return;
  }
}

class PlainChat implements CommandContext {
  readonly host: ChatHost;
  readonly #options: PlainChatOptions;
  #conversation: Conversation | undefined;
  isLeft = false;

  constructor(options: PlainChatOptions) {
    this.host = options.host;
    this.#options = options;
  }

  get conversation(): Conversation {
    if (!this.#conversation) throw new Error('no conversation is open yet');
    return this.#conversation;
  }

  get columns(): number {
    return this.#options.columns - 1;
  }

  get #writing(): MarkdownOptions {
    return { columns: this.columns, marks: 'written' };
  }

  readonly say = (lines: readonly StyledLine[]): void => {
    const shown = wrapLines(lines, { columns: this.columns });
    if (shown.length > 0)
      this.#options.write(`${shown.map((each) => paintLine(each, 'plain')).join('\n')}\n`);
  };

  readonly leave = (): void => {
    this.isLeft = true;
  };

  readonly turnSpeculation = (): string => 'This terminal shows no suggestions.';

  async switchTo(wish: ConversationWish, signal: AbortSignal): Promise<void> {
    const ask = this.#options.isPerson ? askPermission(this.#ask) : undefined;
    this.#conversation = (await this.host.open(wish, ask, signal)).conversation;
    if (wish.kind === 'resume') this.say(messageLines(this.#conversation.history.messages, this.#writing));
  }

  /** The next input; a backslash at the end of a line continues it on the next one. */
  async nextInput(): Promise<string | undefined> {
    const parts: string[] = [];
    for (;;) {
      const text = await this.#read(parts.length === 0 ? '> ' : '  ');
      if (text === undefined) return parts.length === 0 ? undefined : parts.join('\n');
      if (!text.endsWith('\\')) return [...parts, text].join('\n');
      parts.push(text.slice(0, -1));
    }
  }

  /** Runs a command or a turn. A failure is shown, unless the signal was aborted. */
  async take(input: string, signal: AbortSignal): Promise<void> {
    const text = input.trim();
    if (text === '') return;
    try {
      if (this.#options.isPerson) await this.#options.history.add(text);
      const asked = readSlashCommand(text);
      if (asked) await asked.command.run(this, asked.argument, signal);
      else await this.#turn(text, signal);
    } catch (thrown) {
      signal.throwIfAborted();
      this.say(failureLines(thrown));
    }
  }

  async #turn(text: string, signal: AbortSignal): Promise<void> {
    const renderer = new TurnRenderer(this.#output());
    for await (const event of runTurn(this.conversation, [{ kind: 'text', text }], {}, signal))
      renderer.receive(event);
  }

  async #read(sign: string): Promise<string | undefined> {
    if (this.#options.isPerson) this.#options.write(sign);
    return await this.#options.lines.next();
  }

  /** A line that is not an answer, or was typed before the question was written, is kept as later input. */
  readonly #ask: AskUser = async (question) => {
    const { lines, write } = this.#options;
    // Before the question is written: lines typed after that are answers.
    await lines.keepPending();
    this.say([...(question.detail?.(this.columns) ?? []), ...questionLines(question, this.columns)]);
    for (;;) {
      write('? ');
      const answer = await lines.nextTyped();
      if (answer === undefined) return question.dismissed;
      const choice = choiceOfLine(question, answer);
      if (choice) return choice.answer;
      lines.keep(answer);
    }
  };

  #output(): TurnOutput {
    return {
      writing: this.#writing,
      say: this.say,
      showUnfinished: () => {},
      showRunning: () => {},
      notice: (text) => this.say([line(text)]),
      keepOutput: () => {},
    };
  }
}
