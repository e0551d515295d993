/** A failure as lines of text: the message, and the remedy below it. */
import { Failure, messageOf } from '../base/failure.ts';
import { line, type StyledLine } from './line/styled-line.ts';

export function failureLines(thrown: unknown): readonly StyledLine[] {
  const sentence = messageOf(thrown).split('\n');
  const reported = sentence.map((each) => line(each, 'error'));
  return thrown instanceof Failure
    ? [...reported, line(`  ${thrown.remedy} [${thrown.code}]`, 'faint')]
    : reported;
}
