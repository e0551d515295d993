import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { replaceText } from './text-replacement.ts';

const whole = fc.string({ unit: 'grapheme', maxLength: 40 });

describe('a replacement', () => {
  test('of a text that occurs once is the string replacement, and nothing else moves', () => {
    fc.assert(
      fc.property(
        whole,
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
        whole,
        whole,
        (before, old, after, fresh) => {
          const text = `${before}${old}${after}`;
          fc.pre(text.split(old).length === 2 && old !== fresh && !text.includes('\r'));
          const replaced = replaceText('a.ts', text, { old_string: old, new_string: fresh });
          const at = text.indexOf(old);
          expect(replaced).toMatchObject({
            text: text.slice(0, at) + fresh + text.slice(at + old.length),
            count: 1,
          });
        },
      ),
    );
  });

  test('of every occurrence equals replaceAll with a plain text', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', '\n', '😀', '$&'), { maxLength: 30 }), (parts) => {
        const text = parts.join('');
        fc.pre(text.includes('a'));
        const { text: replaced } = replaceText('a.ts', text, {
          old_string: 'a',
          new_string: '$1é',
          replace_all: true,
        });
        expect(replaced).toBe(text.replaceAll('a', () => '$1é'));
      }),
    );
  });

  test('in a text of CRLF lines keeps every line ending what it is', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('x', 'yy', '', 'zé😀'), { minLength: 2 }), (lines) => {
        const text = ['first', 'second', ...lines].join('\r\n');
        const replaced = replaceText('a.ts', text, {
          old_string: 'first\nsecond',
          new_string: 'one\ntwo\nthree',
        });
        expect(replaced.text).toBe(['one', 'two', 'three', ...lines].join('\r\n'));
      }),
    );
  });

  test('in a text of mixed endings takes both pieces as they are', () => {
    const text = 'a\r\nb\nc\n';
    expect(replaceText('f', text, { old_string: 'b\nc', new_string: 'd\ne' }).text).toBe('a\r\nd\ne\n');
  });

  test('matches lines that differ in the white space around them, as apply_edit does', () => {
    const text = 'if (a) {\n\t\tb();\n}\n';
    const edit = { old_string: 'if (a) {\n  b();\n}', new_string: 'c();' };
    expect(replaceText('f', text, edit)).toMatchObject({ text: 'c();\n', count: 1 });
  });
});

describe('is refused', () => {
  test.each([
    ['where the text is missing', 'abc', { old_string: 'x', new_string: 'y' }, /not in f/],
    [
      'where only white space differs',
      'if (a) {\n\treturn;\n}',
      { old_string: '{\n  return;\n}', new_string: '' },
      /white space/,
    ],
    [
      'where a line number was copied along',
      'abc',
      { old_string: '     1\tabc', new_string: 'y' },
      /line number/,
    ],
    ['where the text is there twice', 'a a', { old_string: 'a', new_string: 'b' }, /2 times/],
    ['where nothing would change', 'a', { old_string: 'a', new_string: 'a' }, /the same/],
    ['where the file has the new text already', '\ta', { old_string: 'a ', new_string: '\ta' }, /the same/],
    [
      'where two passages match but for white space',
      '  a();\n\ta();',
      { old_string: 'a(); ', new_string: 'b();' },
      /2 times/,
    ],
    ['where nothing is to be replaced', 'a', { old_string: '', new_string: 'b' }, /empty/],
    ['where it would cut a character', '😀', { old_string: '\ud83d', new_string: 'b' }, /split a character/],
  ])('%s', (_name, text, replacement, sentence) => {
    expect(() => replaceText('f', text, replacement)).toThrow(sentence);
  });
});
