import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { widthOf } from './character-width.ts';
import { line, span, textOfLine, widthOfLine } from './styled-line.ts';
import { visibleText } from './visible-text.ts';
import { cutLine, wrapLine } from './wrapped-line.ts';

describe('the width of a text', () => {
  test.each([
    ['', 0],
    ['abc', 3],
    ['日本', 4],
    ['é', 1],
    ['e\u0301', 1],
    ['👍', 2],
    ['👩‍💻', 2],
    ['☀️', 2],
    ['한', 2],
    ['ｆ', 2],
    ['⇥', 1],
    ['…', 1],
  ])('%s takes %i columns', (text, width) => {
    expect(widthOf(text)).toBe(width);
  });
});

describe('wrapping', () => {
  const anyText = fc.string({
    unit: fc.constantFrom('a', 'b', ' ', '日', '👍', 'e\u0301', '-'),
    maxLength: 80,
  });

  test('no line is wider than the terminal', () => {
    fc.assert(
      fc.property(
        anyText,
        fc.integer({ min: 2, max: 30 }),
        fc.constantFrom('  ', ' ', '日', ''),
        fc.constantFrom('words', 'characters'),
        (text, columns, hanging, at) => {
          const lines = wrapLine(line(text), { columns, hanging: [span(hanging)], at });
          for (const each of lines) expect(widthOfLine(each)).toBeLessThanOrEqual(columns);
        },
      ),
      {
        examples: [
          ['a 日a👍', 6, '  ', 'words'],
          ['aa日', 2, ' ', 'words'],
        ],
      },
    );
  });

  test('nothing but blanks is lost', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 2, max: 30 }), (text, columns) => {
        const shown = wrapLine(line(text), { columns }).map(textOfLine).join('');
        expect(shown.replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
      }),
    );
  });

  test.each([
    ['one two three', 8, ['one two', '  three']],
    ['日本語の文', 6, ['日本語', '  の文']],
    ['abcdefghij', 4, ['abcd', '  ef', '  gh', '  ij']],
    ['ab  cd', 3, ['ab', 'cd']],
    ['  indented text', 10, ['  indented', '  text']],
    ['a 日a👍', 6, ['a 日a', '  👍']],
  ])('%s in %i columns', (text, columns, expected) => {
    const hanging = columns >= 4 ? [span('  ')] : [];
    expect(wrapLine(line(text), { columns, hanging }).map(textOfLine)).toEqual(expected);
  });

  test('styles stay with their characters', () => {
    expect(wrapLine([span('one ', 'strong'), span('two', 'code')], { columns: 4 })).toEqual([
      [{ text: 'one', styles: ['strong'] }],
      [{ text: 'two', styles: ['code'] }],
    ]);
  });

  test('a line that is cut says so', () => {
    expect(textOfLine(cutLine(line('abcdef'), 4))).toBe('abc…');
    expect(textOfLine(cutLine(line('日本語'), 4))).toBe('日…');
    expect(textOfLine(cutLine(line('abcd'), 4))).toBe('abcd');
  });
});

test.each([
  ['\u001b[31mred', '\\x1b[31mred'],
  ['a\tb', 'a    b'],
  ['a\r\nb', 'a\nb'],
  ['a\rb', 'a\\x0db'],
  ['\u202eevil', '\\u202eevil'],
  ['\u009b2J', '\\x9b2J'],
])('what a terminal would act upon is shown by its name: %j', (text, shown) => {
  expect(visibleText(text)).toBe(shown);
});
