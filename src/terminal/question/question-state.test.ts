import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Key } from '../prompt/key.ts';
import { KeyReader } from '../prompt/key-reader.ts';
import { pressQuestion, type QuestionState } from './question-state.ts';

const letters = ['y', 'a', 'n'];

interface Seen {
  readonly answer: string | undefined;
  /** The keys that the prompt received. */
  readonly draft: string;
}

/** Presses bursts as the terminal sends them, until the question is answered. */
function pressed(...chunks: readonly string[]): Seen {
  const reader = new KeyReader();
  let state: QuestionState = { focus: 'question' };
  let draft = '';
  for (const chunk of chunks) {
    const step = pressQuestion(state, [...reader.read(chunk), ...reader.flush()], letters);
    if (step.kind === 'answered') return { answer: step.letter, draft };
    if (step.kind === 'dismissed') return { answer: 'dismissed', draft };
    state = step.state;
    draft += step.draft.map(textOf).join('');
  }
  return { answer: undefined, draft };
}

function textOf(key: Key): string {
  return 'text' in key ? key.text : `<${key.kind}>`;
}

describe('answers', () => {
  test.each([
    ['a letter and Enter', ['y', '\r'], 'y'],
    ['a letter and Enter at once', ['y\r'], 'y'],
    ['a capital letter', ['A', '\r'], 'a'],
    ['another letter after the first was erased', ['y', '\u007f', 'n', '\r'], 'n'],
    ['Escape', ['\u001b'], 'dismissed'],
    ['Escape twice where a letter was chosen', ['y', '\u001b', '\u001b'], 'dismissed'],
  ])('%s', (_name, chunks, answer) => {
    expect(pressed(...chunks)).toEqual({ answer, draft: '' });
  });
});

describe('no answers, and input for later', () => {
  test.each([
    ['a letter alone', ['a'], ''],
    ['Enter alone', ['\r', '\r'], ''],
    ['arrows and Tab', ['\u001b[A', '\t', '\u001b[C', '\r'], ''],
    ['a sentence, letter by letter', [...'please'], 'please'],
    ['a sentence that begins with an answer', [...'yes please', '\r'], 'yes please<enter>'],
    ['a sentence in one piece', ['yes please\r'], 'yes please<enter>'],
    ['a word that is an answer', [...'always', '\r'], 'always<enter>'],
    ['no', [...'no', '\r'], 'no<enter>'],
    ['a key held down', ['y', 'y', 'y', 'yyy', '\r'], 'yyyyyy<enter>'],
    ['a number', ['1', '\r'], '1<enter>'],
    ['letters in one piece', ['ya'], 'ya'],
    ['a pasted answer', ['\u001b[200~y\u001b[201~', '\r'], 'y<enter>'],
    ['a pasted answer with its line break', ['\u001b[200~a\r\u001b[201~'], 'a\n'],
    ['lines of a text, one of them an answer', ['so\ry\rit\r'], 'so<enter>y<enter>it<enter>'],
    ['an answer with more behind it', ['y\r\r'], 'y<enter><enter>'],
    ['a letter of a larger character', ['y\u0301', '\r'], 'y\u0301<enter>'],
    ['another line', ['y', '\u001b\r', 'n'], 'y<newline>n'],
  ])('%s', (_name, chunks, draft) => {
    expect(pressed(...chunks)).toEqual({ answer: undefined, draft });
  });

  test('Escape goes back to the question from what is written', () => {
    expect(pressed(...'please', '\u001b', 'y', '\r')).toEqual({ answer: 'y', draft: 'please' });
  });
});

test('no text without a line break answers, however it is cut, and none of it is lost', () => {
  const text = fc.string({ unit: fc.constantFrom(...'yanxé 1日'), minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(text, fc.array(fc.integer({ min: 1, max: 3 })), (typed, sizes) => {
      const chunks: string[] = [];
      let rest = typed;
      for (const size of [...sizes, typed.length]) {
        if (rest !== '') chunks.push(rest.slice(0, size));
        rest = rest.slice(size);
      }
      const { answer, draft } = pressed(...chunks);
      expect(answer).toBeUndefined();
      // A single letter is not confirmed yet; it goes to the draft when it turns out not to be an answer.
      expect(draft === typed || (draft === '' && letters.includes(typed))).toBe(true);
    }),
  );
});
