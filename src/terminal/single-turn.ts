/**
 * One question and its answer, for scripts.
 *
 * Invariant: with JSON, every line is one object and the last one is the result; otherwise only the answer is
 * written.
 */
import type { Conversation } from '../agent/conversation.ts';
import { runTurn } from '../agent/turn.ts';
import type { TurnEvent, TurnOutcome } from '../agent/turn-event.ts';
import { Failure } from '../base/failure.ts';
import { textOf } from '../model/message.ts';
import { addUsage, noUsage, type Usage } from '../model/usage.ts';

export interface SingleTurnOptions {
  readonly conversation: Conversation;
  readonly text: string;
  readonly format: 'text' | 'json';
  readonly write: (text: string) => void;
}

export async function runSingleTurn(options: SingleTurnOptions, signal: AbortSignal): Promise<TurnOutcome> {
  const { conversation, text, format, write } = options;
  const result = new TurnResult();
  for await (const event of runTurn(conversation, [{ kind: 'text', text }], {}, signal)) {
    result.receive(event);
    if (format === 'json') write(`${JSON.stringify(event, plainly)}\n`);
    else if (event.kind === 'answer') write(answerText(textOf(event.message)));
  }
  const outcome = result.outcome ?? { kind: 'interrupted' };
  if (format === 'json') write(`${JSON.stringify(result.summary(conversation.id), plainly)}\n`);
  return outcome;
}

class TurnResult {
  outcome: TurnOutcome | undefined;
  #answer = '';
  #usage: Usage = noUsage;
  readonly #denied: { readonly id: string; readonly reason: string }[] = [];
  readonly #changed = new Set<string>();

  receive(event: TurnEvent): void {
    if (event.kind === 'answer') this.#answer = textOf(event.message).trim() || this.#answer;
    if (event.kind === 'usage') this.#usage = addUsage(this.#usage, event.usage);
    if (event.kind === 'tool-denied') this.#denied.push({ id: event.id, reason: event.reason });
    if (event.kind === 'tool-finished') for (const path of event.changed) this.#changed.add(path);
    if (event.kind === 'done') this.outcome = event.outcome;
  }

  summary(conversation: string): Readonly<Record<string, unknown>> {
    return {
      kind: 'result',
      outcome: this.outcome?.kind ?? 'interrupted',
      ...(this.outcome?.kind === 'failed' && { failure: this.outcome.failure }),
      conversation,
      answer: this.#answer,
      changed: [...this.#changed],
      denied: this.#denied,
      usage: this.#usage,
    };
  }
}

function answerText(text: string): string {
  const bare = text.trim();
  return bare === '' ? '' : `${bare}\n`;
}

/** JSON shows no properties of an Error, so its message is written. */
function plainly(_key: string, value: unknown): unknown {
  if (value instanceof Failure) return { code: value.code, message: value.message, remedy: value.remedy };
  return value instanceof Error ? { message: value.message } : value;
}
