import { expect, test } from 'vitest';
import { LiveRegion } from '../live-region.ts';
import { historyOf } from '../prompt/input-history.ts';
import type { Key } from '../prompt/key.ts';
import { promptOf } from '../prompt/prompt-text.ts';
import { Screen } from '../screen.ts';
import type { Question } from './question.ts';
import { QuestionPrompt } from './question-prompt.ts';

const question: Question<string> = {
  title: 'Run it?',
  choices: [
    { letter: 'y', word: 'yes', label: 'once', answer: 'yes' },
    { letter: 'n', word: 'no', label: 'no', answer: 'no' },
  ],
  dismissed: 'no',
};

const calm = new AbortController().signal;
const typed = (text: string): Key => ({ kind: 'text', text });
const enter: Key = { kind: 'enter' };

class Trial implements Disposable {
  now = 10_000;
  readonly stage: LiveRegion;
  readonly questions: QuestionPrompt;

  constructor(draft = '') {
    const output = { columns: 80, rows: 24, write: () => true, on: () => {}, off: () => {} };
    this.stage = new LiveRegion(new Screen(output, 'plain'), {
      prompt: { prompt: promptOf(draft), history: historyOf([]) },
      activity: 'working',
      unfinished: [],
      running: [],
      queued: [],
      footer: '',
    });
    this.questions = new QuestionPrompt(this.stage, () => this.now);
  }

  write(text: string): void {
    this.stage.update({ prompt: { ...this.stage.state.prompt, prompt: promptOf(text) } });
  }

  [Symbol.dispose](): void {
    this.stage[Symbol.dispose]();
  }
}

/** Waits until the question is on the screen and all earlier input has been read. */
async function drawn(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

test('a letter and Enter answer', async () => {
  using trial = new Trial();
  const answer = trial.questions.ask(question, calm);
  await drawn();
  expect(trial.questions.press([typed('y'), enter])).toEqual([]);
  expect(await answer).toBe('yes');
  expect(trial.questions.isAsking).toBe(false);
});

test('a letter waits for its Enter, whatever is unfolded in between', async () => {
  using trial = new Trial();
  const answer = trial.questions.ask(question, calm);
  await drawn();
  for (const key of [typed('y'), { kind: 'toggle-output' } as const])
    trial.questions.noteDraft(trial.questions.press([key]));
  expect(trial.stage.state.question?.state).toEqual({ focus: 'question', chosen: 'y' });
  trial.questions.press([enter]);
  expect(await answer).toBe('yes');
});

test('what was sent before the question was on the screen is input for later', async () => {
  using trial = new Trial();
  const answer = trial.questions.ask(question, calm);
  await Promise.resolve();
  expect(trial.questions.press([typed('y'), enter])).toEqual([typed('y'), enter]);
  trial.questions.noteDraft([typed('y'), enter]);
  await drawn();
  expect(trial.questions.isAsking).toBe(true);
  trial.now += 1000;
  trial.questions.press([typed('n'), enter]);
  expect(await answer).toBe('no');
});

test('who is writing when the question appears goes on writing', async () => {
  using trial = new Trial('fix the ');
  const answer = trial.questions.ask(question, calm);
  await drawn();
  expect(trial.questions.press([typed('y'), enter])).toEqual([typed('y'), enter]);
  trial.questions.noteDraft([typed('y')]);
  expect(trial.questions.press([{ kind: 'escape' }])).toEqual([]);
  trial.questions.press([typed('y'), enter]);
  expect(await answer).toBe('yes');
});

test('a line that is sent and the next that follows at once are both input', async () => {
  using trial = new Trial();
  void trial.questions.ask(question, calm);
  await drawn();
  expect(trial.questions.press([typed('so')])).toEqual([typed('so')]);
  trial.write('so');
  trial.questions.noteDraft([typed('so')]);
  expect(trial.questions.press([enter])).toEqual([enter]);
  trial.write('');
  trial.questions.noteDraft([enter]);
  expect(trial.questions.press([typed('y'), enter])).toEqual([typed('y'), enter]);
  expect(trial.questions.isAsking).toBe(true);
});

test('two questions are asked one after the other, and an interruption ends both', async () => {
  using trial = new Trial();
  const life = new AbortController();
  const first = trial.questions.ask(question, life.signal);
  const second = trial.questions.ask({ ...question, title: 'And this?' }, life.signal);
  await drawn();
  expect(trial.stage.state.question?.title).toBe('Run it?');
  trial.questions.press([typed('y'), enter]);
  expect(await first).toBe('yes');
  await drawn();
  expect(trial.stage.state.question?.title).toBe('And this?');
  life.abort(new Error('interrupted'));
  await expect(second).rejects.toThrow('interrupted');
  expect(trial.stage.state.question).toBeUndefined();
});
