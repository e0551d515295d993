import { expect, test } from 'vitest';
import { LineIndex } from '../text/position.ts';
import { hoverProbe } from './hover-probe.ts';

/** Each line of the probe with its position marked. */
function marked(language: string, symbol: string, base = ''): readonly string[] | undefined {
  const probe = hoverProbe(language, symbol, base);
  const index = new LineIndex(probe?.text ?? '');
  return probe?.positions.map(({ line, character }) => {
    const text = index.lineText(line);
    return `${text.slice(0, character)}^${text.slice(character)}`;
  });
}

test.each<[string, string, readonly string[]]>([
  ['typescript', 'Shape', ['void (Shap^e);', 'type __forerunT = Shap^e;']],
  [
    'typescript',
    'fs.readFile',
    [
      'void (fs.readFil^e);',
      'type __forerunT = fs.readFil^e;',
      "import * as __forerun from 'fs'; void (__forerun.readFil^e);",
      'type __forerunT = __forerun.readFil^e;',
    ],
  ],
  ['javascript', '@a/b.c', ["import * as __forerun from '@a/b'; void (__forerun.^c);"]],
  [
    'python',
    'os.path.join',
    [
      'os.path.joi^n',
      'def __forerun(): import os.path; os.path.joi^n',
      'def __forerun(): import os; os.path.joi^n',
      'def __forerun(): import os.path.joi^n',
    ],
  ],
  ['rust', 'std::fs::read', ['use std::fs::rea^d as _;']],
])('in %s, %s is named in every way it could be meant', (language, symbol, expected) => {
  expect(marked(language, symbol)).toEqual(expected);
});

test('a probe stands below the text it is laid over', () => {
  expect(hoverProbe('rust', 'a', 'fn f() {}')?.text).toBe('fn f() {}\nuse a as _;\n');
  expect(marked('rust', 'a', 'fn f() {}\n')).toEqual(['use ^a as _;']);
});

test.each([
  ['typescript', 'a); process.exit('],
  ['python', 'a; import os'],
  ['rust', 'a as b'],
  ['cobol', 'a'],
])('in %s, %j is no name', (language, symbol) => {
  expect(hoverProbe(language, symbol, '')).toBeUndefined();
});
