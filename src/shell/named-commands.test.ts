import { expect, test } from 'vitest';
import { isBoundary } from './boundary.ts';
import { beginsWith, namedCommands } from './named-commands.ts';
import type { Script, ShellWord, Stage } from './syntax/shell-list.ts';
import { parseScript } from './syntax/shell-parser.ts';

test.each([
  ['npm test > out.txt 2>&1', [['npm', 'test']]],
  ['2>/dev/null make -j2 <in', [['make', '-j2']]],
  [
    'sleep 1 & ./gradlew check',
    [
      ['sleep', '1'],
      ['./gradlew', 'check'],
    ],
  ],
  ['echo "a; git push"', [['echo', 'a; git push']]],
  ["echo 'a && b' c\\ d", [['echo', 'a && b', 'c d']]],
  ['echo "now $(git push) done"', [['echo', 'now '], ['git', 'push'], [' done']]],
  ['echo "`git push`"', [['echo', ''], ['git', 'push'], ['']]],
  ['A=1 B="x y" sudo -E env C=2 time make', [['make']]],
  ['if true; then npm t; fi', [['true'], ['npm', 't'], ['fi']]],
  ['a \\\n  b # c; d\ne', [['a', 'b'], ['e']]],
  ['', []],
])('%j names %j', (text, expected) => {
  expect(namedCommands(text)).toEqual(expected);
});

test.each([
  ['npm run test', true],
  ['npm test', true],
  ['npm', false],
  ['npm run tests', false],
])('that %s begins with npm run? test is %s', (text, expected) => {
  expect(beginsWith(text.split(' '), 'npm run? test')).toBe(expected);
});

/** Words without expansions, of commands that the parser reads literally. */
const accepted: readonly string[] = [
  'ls -la src',
  'cat "a b" \'c d\' e\\ f | grep -v "x|y" | wc -l',
  'git log --oneline -5 && git status || echo no; pwd',
  '(cd src; ls) && { pwd; ls; }',
  'A=1 ls',
  'for f in a b; do cat x; done',
  'if grep -q x y; then ls; else pwd; fi',
  'ls 2>/dev/null >/dev/null; pwd 2>&1 | cat',
  '! grep x y',
  'ls # a comment\npwd',
];

test.each(accepted)('%s names the commands that the parser reads', (text) => {
  const script = parseScript(text);
  if (isBoundary(script)) return expect.fail(script.why);
  const named = namedCommands(text).filter(([name]) => !ends.has(name ?? '') && name !== 'for');
  expect(named).toEqual(commandsIn(script));
});

/** The end of a construct stands in command position; no caller recognises it as a program. */
const ends = new Set(['done', 'fi', '}']);

function commandsIn(script: Script): readonly (readonly string[])[] {
  return script.flatMap(({ pipeline }) => pipeline.flatMap(commandsOf));
}

function commandsOf(stage: Stage): readonly (readonly string[])[] {
  if (stage.kind === 'simple') return [stage.argv.map(({ text }: ShellWord) => text)];
  if (stage.kind === 'match') return [];
  if (stage.kind !== 'if') return commandsIn(stage.body);
  const branches = stage.branches.flatMap(({ condition, body }) => [
    ...commandsIn(condition),
    ...commandsIn(body),
  ]);
  return [...branches, ...commandsIn(stage.otherwise ?? [])];
}
