/** Texts that Forerun itself adds to a conversation, recognisable so that they can be removed again. */
import type { ToolCallPart, ToolResultPart } from '../model/message.ts';

/** Added when the user interrupts a turn. */
export const interruptNotice = '[The user interrupted this turn.]';

/** The result of a call that was not made, or not finished. */
export const interruptedResult = '[Not done: the turn was interrupted.]';

/** The result of the call at which a turn was halted, and of the calls after it. */
export const haltedResult = '[Not done: the turn was halted here.]';

/** Whether the result of a call is only a notice. */
export function isNoticeResult({ text }: ToolResultPart): boolean {
  return text === interruptedResult || text === haltedResult;
}

export function failedResult({ id, name }: ToolCallPart, text: string): ToolResultPart {
  return { kind: 'tool-result', id, name, text, outcome: 'failed' };
}

/** Whether a part of the user's message came with it and was not said by the user: surroundings, reviews, mentions. */
export function isSurrounding(text: string): boolean {
  return /^<(environment|summary|editor|review|mentioned)>/.test(text);
}
