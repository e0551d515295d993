import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { paintLine } from '../line/painted-line.ts';
import { type StyledLine, textOfLine, widthOfLine } from '../line/styled-line.ts';
import {
  emptyMarkdown,
  type MarkdownOptions,
  markdownLines,
  pushMarkdown,
  restOfMarkdown,
} from './markdown-stream.ts';

const styled = (columns: number): MarkdownOptions => ({ columns, marks: 'styled' });

function shown(text: string, columns = 40): string {
  return markdownLines(text, styled(columns)).map(textOfLine).join('\n');
}

describe('blocks', () => {
  test('headings, lists, quotes and rules', () => {
    expect(
      shown(
        '# Title\n\n\nA paragraph that is longer than forty columns wide.\n- first item that goes on to a second line\n  - inner\n1. one\n> quoted words that go on for quite a while\n---\nend',
      ),
    ).toMatchInlineSnapshot(`
      "Title

      A paragraph that is longer than forty
      columns wide.
      • first item that goes on to a second
        line
        • inner
      1. one
      │ quoted words that go on for quite a
      │ while
      ────────────────────────────────────────
      end"
    `);
  });

  test('code keeps its white space and is broken anywhere', () => {
    expect(
      shown('```ts\nif (a) {\n  b("a long line of code that does not fit");\n}\n```\nafter'),
    ).toMatchInlineSnapshot(`
      "  if (a) {
          b("a long line of code that does not
         fit");
        }
      after"
    `);
  });

  test('tables stand in columns, and wrap inside them where they are too wide', () => {
    const table =
      '| name | what it does |\n|---|:--|\n| `Read` | reads a file, or a part of it |\n| 日本 | ok |\nafter';
    expect(shown(table)).toMatchInlineSnapshot(`
      "name │ what it does
      ─────┼──────────────────────────────
      Read │ reads a file, or a part of it
      日本 │ ok
      after"
    `);
    expect(shown(table, 24)).toMatchInlineSnapshot(`
      "name │ what it does
      ─────┼──────────────────
      Read │ reads a file, or
           │ a part of it
      日本 │ ok
      after"
    `);
  });

  test('a table too wide for any column is told row by row', () => {
    const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
    const head = ['alpha', 'beta', 'gamma', 'delta'];
    const text = [
      row(head),
      row(head.map(() => '---')),
      row(['one two three', 'twotwotwo', '3', 'four four']),
    ].join('\n');
    expect(shown(text, 20)).toMatchInlineSnapshot(`
      "alpha: one two three
      beta: twotwotwo
      gamma: 3
      delta: four four"
    `);
  });

  test('without styles the marks stay', () => {
    const lines = markdownLines('# Title\n**bold** `code`\n```ts\nx\n```', { columns: 40, marks: 'written' });
    expect(lines.map(textOfLine)).toEqual(['# Title', '**bold** `code`', '```ts', 'x', '```']);
  });
});

describe('inline marks', () => {
  test.each([
    ['**b** and *i*', '\u001b[1mb\u001b[0m and \u001b[3mi\u001b[0m'],
    ['`a * b`', '\u001b[36ma * b\u001b[0m'],
    ['``a ` b``', '\u001b[36ma ` b\u001b[0m'],
    ['snake_case_name', 'snake_case_name'],
    ['2 * 3 * 4', '2 * 3 * 4'],
    ['**open', '**open'],
    ['`open', '`open'],
    ['\\*no\\*', '*no*'],
    ['[a](http://b)', '\u001b[4ma\u001b[0m\u001b[2m (http://b)\u001b[0m'],
    ['**a `b` c**', '\u001b[1ma \u001b[0m\u001b[1;36mb\u001b[0m\u001b[1m c\u001b[0m'],
    ['\u001b[2J', '\\x1b[2J'],
  ])('%j', (text, painted) => {
    const [first = []] = markdownLines(text, styled(80));
    expect(paintLine(first, 'coloured')).toBe(painted);
    expect(paintLine(first, 'plain')).toBe(textOfLine(first));
  });
});

describe('streaming', () => {
  const fragment = fc.constantFrom(
    'word ',
    'longerword',
    '\n',
    '\n\n',
    '# ',
    '- ',
    '1. ',
    '> ',
    '```',
    '```ts\n',
    '| a | b |\n',
    '|---|---|\n',
    '**',
    '*',
    '`',
    '[x](y)',
    '日本語',
    '👩‍💻',
    '\r\n',
    '\t',
    '\u001b[31m',
  );
  const anyMarkdown = fc.array(fragment, { maxLength: 40 }).map((parts) => parts.join(''));

  test('however a text is cut into pieces, the lines are the same', () => {
    fc.assert(
      fc.property(anyMarkdown, fc.array(fc.integer({ min: 1, max: 7 }), { maxLength: 60 }), (text, sizes) => {
        expect(streamed(text, sizes)).toEqual(markdownLines(text, styled(30)).map(textOfLine));
      }),
    );
  });

  test('no line is wider than the terminal, whatever is written', () => {
    fc.assert(
      fc.property(anyMarkdown, fc.integer({ min: 12, max: 90 }), (text, columns) => {
        for (const each of markdownLines(text, styled(columns))) {
          expect(widthOfLine(each)).toBeLessThanOrEqual(columns);
        }
      }),
    );
  });

  test('any beginning can be shown', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        for (const each of restOfMarkdown({ ...emptyMarkdown, pending: text }, styled(20))) {
          // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be left
          expect(textOfLine(each)).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
        }
      }),
    );
  });
});

function streamed(text: string, sizes: readonly number[]): readonly string[] {
  let state = emptyMarkdown;
  const lines: StyledLine[] = [];
  let at = 0;
  for (const size of [...sizes, text.length]) {
    const step = pushMarkdown(state, text.slice(at, at + size), styled(30));
    state = step.state;
    lines.push(...step.lines);
    at += size;
  }
  return [...lines, ...restOfMarkdown(state, styled(30))].map(textOfLine);
}
