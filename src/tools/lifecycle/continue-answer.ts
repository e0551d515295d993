/** The next part of an answer that was cut. */
import { z } from 'zod';
import { budgetInput } from '../answer-budget.ts';
import { UnknownCursor } from '../answer-rest.ts';
import { word } from '../parameter.ts';
import { defineTool, type Tool } from '../tool.ts';

export const continueAnswer: Tool = defineTool({
  name: 'continue_answer',
  title: 'Continue Answer',
  effect: 'reads',
  idempotent: true,
  description: 'The next part of an answer that was cut: every item that was left out comes once.',
  input: z.object({
    cursor: word('The cursor in continue_with of the answer that was cut.'),
    ...budgetInput,
  }),
  async handle({ answers }, { cursor }) {
    if (!answers) throw new UnknownCursor(cursor);
    // What is longer than the budget is cut after this, like any answer.
    return { payload: answers.at(cursor), isError: false };
  },
});
