import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { charactersOf } from '../line/character.ts';
import { span, textOfLine, widthOfLine } from '../line/styled-line.ts';
import { historyOf } from './input-history.ts';
import type { Key, KeyName } from './key.ts';
import { layOutPrompt } from './prompt-layout.ts';
import { ghostOf, type PromptRequest, type PromptState, pressKey } from './prompt-state.ts';
import { emptyPrompt } from './prompt-text.ts';

const rules = { enterRuns: false, completions: ['/help', '/mode', '/model'] };

const typed = (text: string): Key => ({ kind: 'text', text });
const named = (...kinds: readonly KeyName[]): readonly Key[] => kinds.map((kind) => ({ kind }));

interface Seen {
  readonly state: PromptState;
  readonly requests: readonly PromptRequest[];
}

function press(start: Partial<PromptState>, keys: readonly Key[], given = rules): Seen {
  const requests: PromptRequest[] = [];
  let state: PromptState = { prompt: emptyPrompt, history: historyOf([]), ...start };
  for (const key of keys) {
    const step = pressKey(state, key, given);
    state = step.state;
    if (step.request) requests.push(step.request);
  }
  return { state, requests };
}

describe('writing', () => {
  test.each<[string, readonly Key[], string, number]>([
    ['text', [typed('ab'), typed('c')], 'abc', 3],
    ['inside', [typed('ac'), ...named('left'), typed('b')], 'abc', 2],
    ['a character of several code points', [typed('a👩‍💻'), ...named('backspace')], 'a', 1],
    ['a word', [typed('one two'), ...named('erase-word')], 'one ', 4],
    [
      'to the start of its line',
      [typed('one'), ...named('newline'), typed('two'), ...named('erase-before')],
      'one\n',
      4,
    ],
    ['home and end', [typed('abc'), ...named('home', 'delete', 'end'), typed('d')], 'bcd', 3],
    ['a line after a backslash', [typed('one\\'), ...named('enter'), typed('two')], 'one\ntwo', 7],
    ['a pasted text of several lines', [{ kind: 'paste', text: 'a\nb' }], 'a\nb', 3],
    [
      'up and down inside',
      [typed('abc'), ...named('newline'), typed('d'), ...named('up'), typed('X')],
      'aXbc\nd',
      2,
    ],
    ['a command completed', [typed('/h'), ...named('tab')], '/help', 5],
    ['as far as it is common', [typed('/m'), ...named('tab')], '/mode', 5],
  ])('%s', (_name, keys, text, cursor) => {
    expect(press({}, keys).state.prompt).toEqual({ text, cursor });
  });

  test('Enter sends what is written, and nothing where nothing is', () => {
    expect(press({}, [typed('hi '), ...named('enter', 'enter')]).requests).toEqual([
      { kind: 'submit', text: 'hi' },
    ]);
  });

  test('Ctrl+C clears what is written first', () => {
    const { state, requests } = press({}, [typed('hi'), ...named('interrupt', 'interrupt')]);
    expect(state.prompt).toEqual(emptyPrompt);
    expect(requests).toEqual([{ kind: 'interrupt' }]);
  });

  test('going back through what was said loses nothing of what is written', () => {
    const history = historyOf(['one', 'two']);
    const shown = (...keys: readonly KeyName[]): string =>
      press({ history }, [typed('draft'), ...named(...keys)]).state.prompt.text;
    expect(shown('up')).toBe('two');
    expect(shown('up', 'up', 'up')).toBe('one');
    expect(shown('up', 'up', 'down', 'down')).toBe('draft');
  });
});

test.each<[string, KeyName, readonly [number, number]]>([
  ['日本語\nabcdef', 'down', [1, 6]],
  ['a👩‍💻b\nabcd', 'down', [6, 11]],
  ['abc\n👩‍💻b', 'up', [9, 2]],
  ['日本\n', 'down', [1, 3]],
])('%j: %s stays in the column a person sees', (text, key, [from, to]) => {
  expect(
    pressKey({ prompt: { text, cursor: from }, history: historyOf([]) }, { kind: key }, rules).state.prompt,
  ).toEqual({ text, cursor: to });
});

test('whatever is pressed, the cursor stands between two characters', () => {
  const keys: fc.Arbitrary<Key> = fc.oneof(
    fc.constantFrom('a', ' ', '日本', '👩‍💻', 'e\u0301', '\u0301', '\u200d', '🇩', '/').map(typed),
    fc
      .constantFrom<KeyName>(
        'left',
        'right',
        'up',
        'down',
        'home',
        'end',
        'word-left',
        'word-right',
        'backspace',
        'delete',
      )
      .map((kind) => ({ kind })),
    fc
      .constantFrom<KeyName>(
        'newline',
        'erase-word',
        'erase-before',
        'erase-after',
        'tab',
        'enter',
        'interrupt',
        'other',
      )
      .map((kind) => ({ kind })),
  );
  const history = historyOf(['one', 'two\nthree']);
  fc.assert(
    fc.property(fc.array(keys, { maxLength: 30 }), (pressed) => {
      const { text, cursor } = press({ history, suggestion: 'a b' }, pressed).state.prompt;
      const parts = [...charactersOf(text.slice(0, cursor)), ...charactersOf(text.slice(cursor))];
      expect(parts).toEqual(charactersOf(text));
    }),
  );
});

describe('the suggestion', () => {
  const suggestion = 'run the tests';

  test.each<[string, readonly Key[], { text: string; ghost: string; kept: boolean }]>([
    ['is shown after the cursor', [], { text: '', ghost: 'run the tests', kept: true }],
    ['is kept while it is typed', [typed('run t')], { text: 'run t', ghost: 'he tests', kept: true }],
    ['is taken by Tab', named('tab'), { text: suggestion, ghost: '', kept: true }],
    [
      'is taken by Tab half typed',
      [typed('run'), ...named('tab')],
      { text: suggestion, ghost: '', kept: true },
    ],
    ['ends with another letter', [typed('x')], { text: 'x', ghost: '', kept: false }],
    ['ends with Escape', named('escape'), { text: '', ghost: '', kept: false }],
    ['ends with an arrow', named('left'), { text: '', ghost: '', kept: false }],
    ['ends with Backspace', [typed('ru'), ...named('backspace')], { text: 'r', ghost: '', kept: false }],
    ['ends with Ctrl+C', named('interrupt'), { text: '', ghost: '', kept: false }],
    ['ends with a paste', [{ kind: 'paste', text: 'run' }], { text: 'run', ghost: '', kept: false }],
    [
      'ends when more is added',
      [...named('tab'), typed('!?')],
      { text: 'run the tests!?', ghost: '', kept: false },
    ],
    ['stays when output is unfolded', named('toggle-output'), { text: '', ghost: suggestion, kept: true }],
  ])('%s', (_name, keys, { text, ghost, kept }) => {
    const { state } = press({ suggestion }, keys);
    expect({ text: state.prompt.text, ghost: ghostOf(state), kept: state.suggestion !== undefined }).toEqual({
      text,
      ghost,
      kept,
    });
  });

  test('Enter on an empty prompt runs it only where the user turned that on', () => {
    expect(press({ suggestion }, named('enter')).requests).toEqual([]);
    expect(press({ suggestion }, named('enter'), { ...rules, enterRuns: true }).requests).toEqual([
      { kind: 'submit', text: suggestion },
    ]);
  });

  test('Tab and Enter send it', () => {
    expect(press({ suggestion }, named('tab', 'enter')).requests).toEqual([
      { kind: 'submit', text: suggestion },
    ]);
  });

  test('nothing that was typed is ever replaced by it', () => {
    const bare = { ...rules, completions: [] };
    fc.assert(
      fc.property(fc.string({ maxLength: 10 }), (text) => {
        fc.pre(!suggestion.startsWith(text.toLowerCase().trimStart()));
        expect(press({ suggestion }, [typed(text), ...named('tab')], bare).state.prompt.text).toBe(text);
      }),
      { examples: [['/h']] },
    );
  });
});

describe('the place of the cursor', () => {
  const sign = span('> ');

  test.each([
    ['', 0, ['> '], [0, 2]],
    ['ab', 1, ['> ab'], [0, 3]],
    ['日本', 1, ['> 日本'], [0, 4]],
    ['abcdefgh', 8, ['> abcdefg', '  h'], [1, 3]],
    ['a\nb', 3, ['> a', '  b'], [1, 3]],
  ])('%j at %i', (text, cursor, lines, [row, column]) => {
    const laid = layOutPrompt({ text, cursor }, { sign, after: [] }, { columns: 10, rows: 10 });
    expect(laid.lines.map(textOfLine)).toEqual(lines);
    expect(laid.cursor).toEqual({ row, column });
  });

  test('no line is wider than the terminal', () => {
    const character = fc.constantFrom('a', '日', '👍', '\n', '\t', '\u001b', 'e\u0301');
    fc.assert(
      fc.property(
        fc.string({ unit: character, maxLength: 60 }),
        fc.integer({ min: 8, max: 40 }),
        (text, columns) => {
          const after = [span('ghost text', 'faint')];
          const { lines, cursor } = layOutPrompt(
            { text, cursor: text.length },
            { sign, after },
            { columns, rows: 100 },
          );
          for (const each of lines) expect(widthOfLine(each)).toBeLessThan(columns);
          expect(cursor.row).toBeLessThan(lines.length);
          expect(cursor.column).toBeLessThan(columns);
        },
      ),
    );
  });
});
