/**
 * What stands below everything that was said: the answer that is being written, a question, the prompt.
 *
 * Invariant: it is never higher than the screen, and the line with the cursor is always in it.
 */
import type { ToolCallPart } from '../../model/message.ts';
import { line, type Span, type StyledLine, span } from '../line/styled-line.ts';
import { cutLine, wrapLine } from '../line/wrapped-line.ts';
import { type LaidOut, layOutPrompt, type PromptSize } from '../prompt/prompt-layout.ts';
import { ghostOf, type PromptState } from '../prompt/prompt-state.ts';
import { type Question, questionLines } from '../question/question.ts';
import type { QuestionState } from '../question/question-state.ts';
import { outputPanel, runningCall } from './tool-view.ts';

export interface LiveState {
  readonly prompt: PromptState;
  /** What taking the suggestion would do, as far as it is known. */
  readonly verdict?: string | undefined;
  readonly activity: 'waiting' | 'working';
  /** The lines of an answer that are not final yet. */
  readonly unfinished: readonly StyledLine[];
  readonly running: readonly ToolCallPart[];
  /** What is said when the work under way is over. */
  readonly queued: readonly string[];
  readonly question?: ShownQuestion | undefined;
  /** The output that is unfolded. */
  readonly output?: string | undefined;
  /** A word to the user that is gone with the next key. */
  readonly notice?: string | undefined;
  /** Mode and model. */
  readonly footer: string;
}

export interface ShownQuestion extends Pick<Question<unknown>, 'title' | 'choices'> {
  readonly state: QuestionState;
}

export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

export function liveView(state: LiveState, size: ScreenSize): LaidOut {
  const { columns, rows } = size;
  const above = [
    ...state.unfinished,
    ...state.running.map((call) => runningCall(call, columns - 1)),
    ...(state.output === undefined
      ? []
      : outputPanel(state.output, { columns: columns - 1, rows: Math.max(3, Math.floor(rows / 2)) })),
    ...state.queued.map((text) => cutLine([span('next: ', 'faint'), span(text)], columns - 1)),
    ...(state.question ? questionView(state.question, state.prompt, columns - 1) : []),
  ];
  const prompt = promptView(state, { columns, rows: Math.max(3, Math.floor(rows / 2)) });
  const below = [state.notice ? line(state.notice, 'warning') : line(state.footer, 'faint')];
  const lines = [...above, ...prompt.lines, ...below.map((each) => cutLine(each, columns - 1))];
  const cursor = { row: above.length + prompt.cursor.row, column: prompt.cursor.column };
  return fitting({ lines, cursor }, rows);
}

function promptView({ prompt, verdict, activity, question }: LiveState, size: PromptSize): LaidOut {
  const { columns } = size;
  if (question?.state.focus === 'question') return chosenView(question, size);
  if (activity === 'working') {
    const after = prompt.prompt.text === '' ? [span('working; Ctrl+C interrupts', 'faint')] : [];
    return layOutPrompt(prompt.prompt, { sign: span('… ', 'faint'), after }, size);
  }
  const mark = suggestionMark(prompt);
  const lay = (after: readonly Span[]): LaidOut =>
    layOutPrompt(prompt.prompt, { sign: span('> ', 'accent'), after }, size);
  if (mark === undefined || verdict === undefined) return lay(mark ? [mark] : []);
  const [alone, together] = [lay([mark]), lay([mark, span(`  ${verdict}`, 'faint')])];
  if (together.lines.length === alone.lines.length) return together;
  // A verdict is read as a whole: where it does not fit it gets lines of its own.
  const below = wrapLine([span(`  ${verdict}`, 'faint')], { columns: columns - 1, hanging: [span('  ')] });
  return { lines: [...alone.lines, ...below], cursor: alone.cursor };
}

/** The question, what it leaves waiting in the prompt, and the way back to it. */
function questionView(
  question: ShownQuestion,
  { prompt }: PromptState,
  columns: number,
): readonly StyledLine[] {
  const lines = questionLines(question, columns);
  if (question.state.focus === 'draft') {
    const back = wrapLine([span('still asked; Escape goes back to the question', 'faint')], { columns });
    return [...lines, ...back];
  }
  const draft = prompt.text === '' ? [] : [cutLine([span('draft: ', 'faint'), span(prompt.text)], columns)];
  return [...lines, ...draft];
}

function chosenView({ state, choices }: ShownQuestion, size: PromptSize): LaidOut {
  const { chosen = '' } = state;
  const label = choices.find(({ letter }) => letter === chosen.toLowerCase())?.label;
  const after = label === undefined ? [] : [span(`  ⏎ Enter: ${label}`, 'faint')];
  return layOutPrompt({ text: chosen, cursor: chosen.length }, { sign: span('? ', 'accent'), after }, size);
}

/** What is left to type of the suggestion, and the key that takes it or sends it. */
function suggestionMark(state: PromptState): Span | undefined {
  if (state.suggestion === undefined) return undefined;
  const ghost = ghostOf(state);
  if (ghost !== '') return span(`${ghost}  ⇥ Tab`, 'faint');
  return state.prompt.text === state.suggestion ? span('  ⏎ Enter', 'faint') : undefined;
}

/** The lines around the cursor that there is room for. */
function fitting({ lines, cursor }: LaidOut, rows: number): LaidOut {
  const room = Math.max(1, rows - 1);
  if (lines.length <= room) return { lines, cursor };
  const first = Math.min(Math.max(0, lines.length - room), cursor.row);
  return {
    lines: lines.slice(first, first + room),
    cursor: { row: cursor.row - first, column: cursor.column },
  };
}
