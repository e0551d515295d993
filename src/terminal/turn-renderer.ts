/**
 * Writes a turn down as it happens.
 *
 * Invariant: whatever is in the answer is shown once, whether it was heard piece by piece or came at the end.
 */
import type { Judgement } from '../agent/judgement.ts';
import { renderTodos } from '../agent/todo.ts';
import type { TurnEvent, TurnOutcome } from '../agent/turn-event.ts';
import { type AssistantMessage, type ToolCallPart, type ToolResultPart, textOf } from '../model/message.ts';
import type { FilePatch } from '../text/unified-diff.ts';
import { failureLines } from './failure-lines.ts';
import { line, type StyledLine } from './line/styled-line.ts';
import {
  emptyMarkdown,
  type MarkdownOptions,
  markdownLines,
  pushMarkdown,
  restOfMarkdown,
} from './markdown/markdown-stream.ts';
import { todoLines } from './slash-command.ts';
import { diffLines, mostDiffLines } from './view/diff-view.ts';
import { finishedCall, judgementLines } from './view/tool-view.ts';

/** Where a turn is written to. */
export interface TurnOutput {
  readonly writing: MarkdownOptions;
  say(lines: readonly StyledLine[]): void;
  /** What is not final yet, in place of what was before. */
  showUnfinished(lines: readonly StyledLine[]): void;
  showRunning(calls: readonly ToolCallPart[]): void;
  notice(text: string): void;
  /** What a call answered, for whoever wants to see all of it. */
  keepOutput(text: string): void;
}

export class TurnRenderer {
  readonly #paper: TurnOutput;
  readonly #takeLanded: () => readonly FilePatch[];
  #markdown = emptyMarkdown;
  #heard = '';
  readonly #running = new Map<string, ToolCallPart>();
  readonly #judged = new Map<string, Judgement>();
  #outcome: TurnOutcome | undefined;

  constructor(paper: TurnOutput, takeLanded: () => readonly FilePatch[]) {
    this.#paper = paper;
    this.#takeLanded = takeLanded;
  }

  /** How the turn ended, once it has. */
  get outcome(): TurnOutcome | undefined {
    return this.#outcome;
  }

  hear(event: TurnEvent): void {
    switch (event.kind) {
      case 'text':
        this.#text(event.text);
        break;
      case 'restarted':
        this.#finishText();
        this.#paper.say([line('The answer broke off and begins anew.', 'warning')]);
        break;
      case 'retrying':
        this.#paper.notice(`${event.cause.message}; asking again (attempt ${event.attempt})`);
        break;
      case 'answer':
        this.#answer(event.message);
        break;
      case 'tool-proposed':
        this.#running.set(event.call.id, event.call);
        this.#paper.showRunning([...this.#running.values()]);
        break;
      case 'diagnostics':
        this.#judged.set(event.id, event.judgement);
        break;
      case 'tool-finished':
        this.#finished(event.result);
        break;
      case 'todos':
        this.#paper.say(event.todos.length > 0 ? todoLines(renderTodos(event.todos)) : []);
        break;
      case 'compacted':
        this.#paper.say([line('(the conversation was summed up, to make room)', 'faint')]);
        break;
      case 'done':
        this.#done(event.outcome);
        break;
      default:
        break;
    }
  }

  #text(text: string): void {
    const { writing } = this.#paper;
    const isFirst = this.#heard === '';
    this.#heard += text;
    const { state, lines } = pushMarkdown(this.#markdown, isFirst ? text.trimStart() : text, writing);
    this.#markdown = state;
    if (isFirst) this.#paper.say([[], ...lines]);
    else if (lines.length > 0) this.#paper.say(lines);
    this.#paper.showUnfinished(restOfMarkdown(state, writing));
  }

  #finishText(): void {
    const rest = restOfMarkdown(this.#markdown, this.#paper.writing);
    this.#paper.showUnfinished([]);
    if (rest.length > 0) this.#paper.say(rest);
    this.#markdown = emptyMarkdown;
    this.#heard = '';
  }

  /** What the answer holds that was never heard is written now. */
  #answer(message: AssistantMessage): void {
    const heard = this.#heard;
    this.#finishText();
    const text = textOf(message).trim();
    if (text !== '' && !heard.includes(text)) {
      this.#paper.say([[], ...markdownLines(text, this.#paper.writing)]);
    }
  }

  #finished(result: ToolResultPart): void {
    const call = this.#running.get(result.id);
    this.#running.delete(result.id);
    this.#paper.showRunning([...this.#running.values()]);
    if (!call) return;
    const { columns } = this.#paper.writing;
    const judgement = this.#judged.get(result.id);
    this.#paper.keepOutput(result.text);
    this.#paper.say([
      finishedCall(call, result, columns),
      ...diffLines(this.#takeLanded(), { columns, mostLines: mostDiffLines }),
      ...(judgement ? judgementLines(judgement, columns) : []),
    ]);
  }

  #done(outcome: TurnOutcome): void {
    this.#finishText();
    this.#running.clear();
    this.#paper.showRunning([]);
    this.#outcome = outcome;
    const lines = outcomeLines(outcome);
    if (lines.length > 0) this.#paper.say(lines);
  }
}

function outcomeLines(outcome: TurnOutcome): readonly StyledLine[] {
  switch (outcome.kind) {
    case 'answered':
      return stopLines(outcome.stop);
    case 'halted':
      return [line(`Stopped before ${outcome.boundary.tool}: ${outcome.boundary.detail}`, 'warning')];
    case 'exhausted':
      return [
        line(`Stopped after ${outcome.rounds} rounds without being done; say "go on" to go on.`, 'warning'),
      ];
    case 'interrupted':
      return [line('interrupted', 'warning')];
    case 'failed':
      return failureLines(outcome.failure);
  }
}

function stopLines(stop: (TurnOutcome & { readonly kind: 'answered' })['stop']): readonly StyledLine[] {
  if (stop === 'max-tokens')
    return [line('The answer was cut off at its greatest length (model.maxTokens).', 'warning')];
  if (stop === 'context-full') return [line('The window is full; /compact makes room.', 'warning')];
  return stop === 'refused' ? [line('The model refused to answer.', 'warning')] : [];
}
