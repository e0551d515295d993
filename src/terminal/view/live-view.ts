/**
 * The live region: the answer being received, a question, the prompt.
 *
 * Invariant: it is never higher than the screen, and always contains the line with the cursor.
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
  /** The predicted effect of accepting the suggestion, as far as known. */
  readonly verdict?: string | undefined;
  readonly activity: 'waiting' | 'working';
  /** Lines of an answer that are not final yet. */
  readonly unfinished: readonly StyledLine[];
  readonly running: readonly ToolCallPart[];
  /** Input to send when the current job ends. */
  readonly queued: readonly string[];
  readonly question?: ShownQuestion | undefined;
  /** The expanded output. */
  readonly output?: string | undefined;
  /** A message that disappears with the next key. */
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
  // A verdict that does not fit gets its own lines.
  const below = wrapLine([span(`  ${verdict}`, 'faint')], { columns: columns - 1, hanging: [span('  ')] });
  return { lines: [...alone.lines, ...below], cursor: alone.cursor };
}

/** The question, the draft in the prompt, and the key that returns to the question. */
function questionView(
  question: ShownQuestion,
  { prompt }: PromptState,
  columns: number,
): readonly StyledLine[] {
  const lines = questionLines(question, columns);
  if (question.state.focus === 'draft') {
    const back = wrapLine([span('a question is open; Escape returns to it', 'faint')], { columns });
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

/** The untyped rest of the suggestion, and the key that takes or sends it. */
function suggestionMark(state: PromptState): Span | undefined {
  if (state.suggestion === undefined) return undefined;
  const ghost = ghostOf(state);
  if (ghost !== '') return span(`${ghost}  ⇥ Tab`, 'faint');
  return state.prompt.text === state.suggestion ? span('  ⏎ Enter', 'faint') : undefined;
}

/** The lines around the cursor that fit. */
function fitting({ lines, cursor }: LaidOut, rows: number): LaidOut {
  const room = Math.max(1, rows - 1);
  if (lines.length <= room) return { lines, cursor };
  const first = Math.min(Math.max(0, lines.length - room), cursor.row);
  return {
    lines: lines.slice(first, first + room),
    cursor: { row: cursor.row - first, column: cursor.column },
  };
}
