import { describe, expect, test } from 'vitest';
import { line, textOfLine, widthOfLine } from '../line/styled-line.ts';
import { historyOf } from '../prompt/input-history.ts';
import { promptOf } from '../prompt/prompt-text.ts';
import { type LiveState, liveView, type ShownQuestion } from './live-view.ts';

const resting: LiveState = {
  prompt: { prompt: promptOf(''), history: historyOf([]) },
  activity: 'waiting',
  unfinished: [],
  running: [],
  queued: [],
  footer: 'default · qwen3:8b · /help',
};

function shown(change: Partial<LiveState>, size = { columns: 40, rows: 24 }): string {
  return liveView({ ...resting, ...change }, size)
    .lines.map(textOfLine)
    .join('\n');
}

const question: ShownQuestion = {
  title: 'Run this command?',
  choices: [
    { letter: 'y', word: 'yes', label: 'once', answer: 'yes' },
    { letter: 'n', word: 'no', label: 'no', answer: 'no' },
  ],
  state: { focus: 'question' },
};

describe('what stands below', () => {
  test('the prompt, and under it mode and model', () => {
    expect(shown({ prompt: { ...resting.prompt, prompt: promptOf('one\ntwo') } })).toMatchInlineSnapshot(`
      "> one
        two
      default · qwen3:8b · /help"
    `);
  });

  test('the suggestion with its key and its verdict', () => {
    const prompt = { ...resting.prompt, prompt: promptOf('ru'), suggestion: 'run the tests' };
    const view = liveView(
      { ...resting, prompt, verdict: '3 files, 0 errors introduced, tests pass' },
      { columns: 40, rows: 24 },
    );
    expect(view.lines.map(textOfLine).join('\n')).toMatchInlineSnapshot(`
      "> run the tests  ⇥ Tab
        3 files, 0 errors introduced, tests
        pass
      default · qwen3:8b · /help"
    `);
    expect(view.cursor).toEqual({ row: 0, column: 4 });
    const [[, typed, ghost] = []] = view.lines;
    expect(typed).toEqual({ text: 'ru', styles: [] });
    expect(ghost).toMatchObject({ text: expect.stringMatching(/^n the tests {2}⇥ Tab/), styles: ['faint'] });
  });

  test('a suggestion that was taken is sent by Enter', () => {
    const prompt = { ...resting.prompt, prompt: promptOf('run the tests'), suggestion: 'run the tests' };
    expect(shown({ prompt, verdict: 'no files changed' })).toMatchInlineSnapshot(`
      "> run the tests  ⏎ Enter
        no files changed
      default · qwen3:8b · /help"
    `);
  });

  test('what is under way', () => {
    const running = [
      {
        kind: 'tool-call',
        id: '1',
        name: 'Grep',
        input: { kind: 'object', value: { pattern: 'x' } },
      } as const,
    ];
    expect(shown({ activity: 'working', unfinished: [line('Looking for')], running })).toMatchInlineSnapshot(`
      "Looking for
      ○ Grep x …
      … working; Ctrl+C interrupts
      default · qwen3:8b · /help"
    `);
  });

  test('a question takes the place of the prompt, and says what Enter would confirm', () => {
    expect(shown({ activity: 'working', question })).toMatchInlineSnapshot(`
      "Run this command?
      y once   n no   then Enter
      ? 
      default · qwen3:8b · /help"
    `);
    const chosen: ShownQuestion = { ...question, state: { focus: 'question', chosen: 'y' } };
    expect(shown({ activity: 'working', question: chosen })).toMatchInlineSnapshot(`
      "Run this command?
      y once   n no   then Enter
      ? y  ⏎ Enter: once
      default · qwen3:8b · /help"
    `);
  });

  test('what is written at a question stands in the prompt, under the question', () => {
    const prompt = { ...resting.prompt, prompt: promptOf('yes please') };
    const writing: ShownQuestion = { ...question, state: { focus: 'draft' } };
    expect(shown({ activity: 'working', question: writing, prompt })).toMatchInlineSnapshot(`
      "Run this command?
      y once   n no   then Enter
      a question is open; Escape returns to
      it
      … yes please
      default · qwen3:8b · /help"
    `);
    expect(shown({ activity: 'working', question, prompt })).toMatchInlineSnapshot(`
      "Run this command?
      y once   n no   then Enter
      draft: yes please
      ? 
      default · qwen3:8b · /help"
    `);
  });

  test('unfolded output keeps its end where there is little room', () => {
    const output = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`).join('\n');
    expect(shown({ output }, { columns: 40, rows: 10 })).toMatchInlineSnapshot(`
      "│ … 26 lines above
      │ line 27
      │ line 28
      │ line 29
      │ line 30
      > 
      default · qwen3:8b · /help"
    `);
  });

  test.each([
    [20, 4],
    [20, 6],
    [80, 5],
  ])('at %i by %i it fits, with the cursor in it', (columns, rows) => {
    const prompt = { ...resting.prompt, prompt: promptOf('word '.repeat(40)) };
    const unfinished = Array.from({ length: 20 }, () => line('text'));
    const { lines, cursor } = liveView(
      { ...resting, prompt, unfinished, question: undefined },
      { columns, rows },
    );
    expect(lines.length).toBeLessThan(rows);
    expect(cursor.row).toBeLessThan(lines.length);
    for (const each of lines) expect(widthOfLine(each)).toBeLessThan(columns);
  });
});
