/**
 * Shows the events of a turn.
 *
 * Invariant: every part of an answer is shown once, whether it was streamed or arrived at the end.
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

/** The output of a turn. */
export interface TurnOutput {
  readonly writing: MarkdownOptions;
  say(lines: readonly StyledLine[]): void;
  /** Replaces the lines that are not final yet. */
  showUnfinished(lines: readonly StyledLine[]): void;
  showRunning(calls: readonly ToolCallPart[]): void;
  notice(text: string): void;
  /** Stores the output of a call, to show it in full on request. */
  keepOutput(text: string): void;
}

export class TurnRenderer {
  readonly #output: TurnOutput;
  #markdown = emptyMarkdown;
  #received = '';
  readonly #running = new Map<string, ToolCallPart>();
  readonly #judged = new Map<string, Judgement>();
  #outcome: TurnOutcome | undefined;

  constructor(output: TurnOutput) {
    this.#output = output;
  }

  /** The outcome of the turn, once it has ended. */
  get outcome(): TurnOutcome | undefined {
    return this.#outcome;
  }

  receive(event: TurnEvent): void {
    switch (event.kind) {
      case 'text':
        this.#text(event.text);
        break;
      case 'restarted':
        this.#finishText();
        this.#output.say([line('The answer was interrupted and starts again.', 'warning')]);
        break;
      case 'retrying':
        this.#output.notice(`${event.cause.message}; asking again (attempt ${event.attempt})`);
        break;
      case 'answer':
        this.#answer(event.message);
        break;
      case 'tool-proposed':
        this.#running.set(event.call.id, event.call);
        this.#output.showRunning([...this.#running.values()]);
        break;
      case 'diagnostics':
        this.#judged.set(event.id, event.judgement);
        break;
      case 'tool-finished':
        this.#finished(event.result, event.patch);
        break;
      case 'todos':
        this.#output.say(event.todos.length > 0 ? todoLines(renderTodos(event.todos)) : []);
        break;
      case 'compacted':
        this.#output.say([line('(the conversation was summarised to free context)', 'faint')]);
        break;
      case 'done':
        this.#done(event.outcome);
        break;
      default:
        break;
    }
  }

  #text(text: string): void {
    const { writing } = this.#output;
    const isFirst = this.#received === '';
    this.#received += text;
    const { state, lines } = pushMarkdown(this.#markdown, isFirst ? text.trimStart() : text, writing);
    this.#markdown = state;
    if (isFirst) this.#output.say([[], ...lines]);
    else if (lines.length > 0) this.#output.say(lines);
    this.#output.showUnfinished(restOfMarkdown(state, writing));
  }

  #finishText(): void {
    const rest = restOfMarkdown(this.#markdown, this.#output.writing);
    this.#output.showUnfinished([]);
    if (rest.length > 0) this.#output.say(rest);
    this.#markdown = emptyMarkdown;
    this.#received = '';
  }

  /** Shows the parts of the answer that were not streamed. */
  #answer(message: AssistantMessage): void {
    const received = this.#received;
    this.#finishText();
    const text = textOf(message).trim();
    if (text !== '' && !received.includes(text)) {
      this.#output.say([[], ...markdownLines(text, this.#output.writing)]);
    }
  }

  #finished(result: ToolResultPart, patch: readonly FilePatch[]): void {
    const call = this.#running.get(result.id);
    this.#running.delete(result.id);
    this.#output.showRunning([...this.#running.values()]);
    if (!call) return;
    const { columns } = this.#output.writing;
    const judgement = this.#judged.get(result.id);
    this.#output.keepOutput(result.text);
    this.#output.say([
      finishedCall(call, result, columns),
      ...diffLines(patch, { columns, mostLines: mostDiffLines }),
      ...(judgement ? judgementLines(judgement, columns) : []),
    ]);
  }

  #done(outcome: TurnOutcome): void {
    this.#finishText();
    this.#running.clear();
    this.#output.showRunning([]);
    this.#outcome = outcome;
    const lines = outcomeLines(outcome);
    if (lines.length > 0) this.#output.say(lines);
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
        line(
          `Stopped after ${outcome.rounds} rounds before the task was done; enter "continue" to continue.`,
          'warning',
        ),
      ];
    case 'interrupted':
      return [line('interrupted', 'warning')];
    case 'failed':
      return failureLines(outcome.failure);
  }
}

function stopLines(stop: (TurnOutcome & { readonly kind: 'answered' })['stop']): readonly StyledLine[] {
  if (stop === 'max-tokens')
    return [line('The answer reached its maximum length (model.maxTokens).', 'warning')];
  if (stop === 'context-full') return [line('The context window is full; /compact frees space.', 'warning')];
  return stop === 'refused' ? [line('The model refused to answer.', 'warning')] : [];
}
