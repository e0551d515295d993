/** An earlier conversation, shown as it looked live. */
import { interruptNotice, isSurrounding } from '../../agent/notice.ts';
import type { AssistantMessage, Message, UserMessage } from '../../model/message.ts';
import { boundaryFrom } from '../line/character.ts';
import { line, type StyledLine, span } from '../line/styled-line.ts';
import { visibleText } from '../line/visible-text.ts';
import { wrapLine } from '../line/wrapped-line.ts';
import { type MarkdownOptions, markdownLines } from '../markdown/markdown-stream.ts';
import { finishedCall } from './tool-view.ts';

export function messageLines(messages: readonly Message[], options: MarkdownOptions): readonly StyledLine[] {
  return messages.flatMap((message, index) =>
    message.role === 'user'
      ? saidByUser(message, options)
      : // Some providers reuse call ids in every answer, so results are searched right after the answer.
        saidByModel(message, messages[index + 1], options),
  );
}

/** The user's input as the prompt showed it; a long text is cut. */
export function userLines(text: string, columns: number): readonly StyledLine[] {
  const beginning = beginningOf(text);
  const [first = '', ...others] = visibleText(beginning).split('\n');
  const hanging = [span('  ')];
  const lines = [
    ...wrapLine([span('> ', 'accent'), span(first, 'strong')], { columns, hanging }),
    ...others.flatMap((each) => wrapLine([span('  '), span(each, 'strong')], { columns, hanging })),
  ].slice(0, mostUserLines);
  if (beginning.length === text.length && lines.length < mostUserLines) return lines;
  return [...lines, line(`  … ${leftOf(text, beginning)}`, 'faint')];
}

/** Pasted text may be too long to scroll through. */
const mostUserLines = 40;
const longestBeginning = 8000;

function beginningOf(text: string): string {
  const beginning = text.slice(0, boundaryFrom(text, longestBeginning));
  let end = -1;
  for (let count = 0; count < mostUserLines; count += 1) {
    end = beginning.indexOf('\n', end + 1);
    if (end < 0) return beginning;
  }
  return beginning.slice(0, end);
}

function leftOf(text: string, beginning: string): string {
  const count = text.slice(beginning.length).split('\n').length - 1;
  return count > 0 ? `${count} more lines` : 'more text';
}

/** The result of the last call; undefined if there was none. */
export function lastOutputIn(messages: readonly Message[]): string | undefined {
  const results = messages.flatMap(({ content }) =>
    content.flatMap((part) => (part.kind === 'tool-result' ? [part.text] : [])),
  );
  return results.at(-1);
}

function saidByUser({ content }: UserMessage, { columns }: MarkdownOptions): readonly StyledLine[] {
  return content.flatMap((part): readonly StyledLine[] => {
    if (part.kind !== 'text') return [];
    if (part.text === interruptNotice) return [line('interrupted', 'faint')];
    if (part.text.includes('<summary>') && isSurrounding(part.text))
      return [line('(summarised here)', 'faint')];
    return isSurrounding(part.text) ? [] : [[], ...userLines(part.text, columns)];
  });
}

function saidByModel(
  { content }: AssistantMessage,
  answer: Message | undefined,
  options: MarkdownOptions,
): readonly StyledLine[] {
  const results = (answer?.content ?? []).filter((part) => part.kind === 'tool-result');
  return content.flatMap((part): readonly StyledLine[] => {
    if (part.kind === 'text')
      return part.text.trim() === '' ? [] : [[], ...markdownLines(part.text.trim(), options)];
    if (part.kind !== 'tool-call') return [];
    const result = results.find(({ id }) => id === part.id);
    return result ? [finishedCall(part, result, options.columns)] : [];
  });
}
