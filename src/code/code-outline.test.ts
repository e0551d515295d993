import fc from 'fast-check';
import { expect, test } from 'vitest';
import { languageId } from '../servers/language.ts';
import { outlineCode } from './code-outline.ts';
import { syntaxOf } from './code-syntax.ts';

const outline = (text: string, language = 'typescript') =>
  outlineCode(text, { start: 0, end: text.length }, syntaxOf(languageId(language)))?.map((piece) =>
    text.slice(piece.start, piece.end),
  );

test.each([
  ['typescript', 'f(a, [1]) { x }', ['f', '(a, [1])', '{ x }']],
  ['typescript', `a = \`x \${ { y: "}" } } z\` /* } */ // {`, ['a', '=', `\`x \${ { y: "}" } } z\``]],
  ['typescript', 'a / b / (c)', ['a', '/', 'b', '/', '(c)']],
  ['typescript', 'return /[}/]\\//g.test(a)', ['return', '/[}/]\\//g', '.', 'test', '(a)']],
  ['typescript', 'a => b === c', ['a', '=>', 'b', '===', 'c']],
  ['rust', '<\'a>(\'{\', r#"}""#) /* /* } */ } */', ['<', "'", 'a', '>', '(\'{\', r#"}""#)']],
  ['go', 'a := `}\n{` + "}"', ['a', ':=', '`}\n{`', '+', '"}"']],
  ['python', 'x: """:\n}""" # }', ['x', ':', '""":\n}"""']],
  ['c', 'case \'}\': "\\"}"', ['case', "'}'", ':', '"\\"}"']],
])('%s: %s', (language, text, pieces) => {
  expect(outline(text, language)).toEqual(pieces);
});

test('a span beyond the text ends with it', () => {
  const syntax = syntaxOf(languageId('typescript'));
  expect(outlineCode('f(a)', { start: 0, end: 9 }, syntax)).toHaveLength(2);
  expect(outlineCode('f', { start: 5, end: 9 }, syntax)).toEqual([]);
});

test.each(['f(', 'f)', '(]', 'f({)}', '`a', '"""a'])('there is no outline of %s', (text) => {
  expect(outline(text, text.startsWith('"') ? 'python' : 'typescript')).toBeUndefined();
});

test('whatever stands in a string or a comment, the brackets around it match', () => {
  const inner = fc.string({ unit: fc.constantFrom('(', ')', '{', '}', '[', ']', '"', "'", 'a', ' ', '\\') });
  fc.assert(
    fc.property(inner, fc.constantFrom('typescript', 'go', 'rust', 'python', 'cpp'), (text, language) => {
      const quoted = `f(${JSON.stringify(text)}) { b }`;
      expect(outline(quoted, language)?.at(-1)).toBe('{ b }');
    }),
  );
});
