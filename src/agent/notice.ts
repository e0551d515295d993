/** What is put into a conversation by nobody's mouth, so that it can be found and taken out again. */
import type { ToolCallPart, ToolResultPart } from '../model/message.ts';

/** Said where the user broke a turn off. */
export const interruptNotice = '[The user interrupted this turn.]';

/** The answer to a call that was never made, or not to its end. */
export const interruptedResult = '[Not done: the turn was interrupted.]';

/** The answer to a call at which a turn was halted, and to those after it. */
export const haltedResult = '[Not done: the turn was halted here.]';

/** Whether a call was answered by a notice alone. */
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
